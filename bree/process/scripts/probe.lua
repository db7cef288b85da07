-- Looks whether the store still has what the caller knows of its past, and adds to that.
-- KEYS  the epoch; the markers, the newest first
-- ARGV  the word of a marker to be added, or nothing; the run to begin where there is none, or nothing;
--       the doubt to be noted, or nothing; the run that the caller knows, or nothing; then the markers
--       that it knows, the newest first: place and word of each
-- Gives the run, the place of the newest marker, the time in ms, the place of the newest marker of the
-- caller's that is still there, and of the marker that was added; the runs that this one follows, the
-- doubt; and where the caller knows no marker, some that it may know from now on: place, word, time.
local KEPT = 4096
local epoch = redis.call('HMGET', KEYS[1], 'run', 'place', 'follows', 'doubt')
local run, place = epoch[1] or '', tonumber(epoch[2] or '0')
local doubt, known, newest = epoch[4] or '', ARGV[4], tonumber(ARGV[5] or '0')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

if run == '' and ARGV[2] ~= '' and known == '' and doubt == '' then
  run = ARGV[2]
  redis.call('HSET', KEYS[1], 'run', run, 'place', 0)
end

local function marker_at(wanted)
  local marker = wanted <= place and redis.call('LINDEX', KEYS[2], place - wanted)
  return string.match(marker or '', '^(%S+) (%d+)$')
end

local found = 0
for i = 5, #ARGV, 2 do
  if marker_at(tonumber(ARGV[i])) == ARGV[i + 1] then
    found = tonumber(ARGV[i])
    break
  end
end
if newest > 0 and newest <= place - KEPT then
  found = newest -- so old that nobody can tell
end

local is_other = run == '' or (run == known and found ~= newest) -- or it was accepted meanwhile
if doubt == '' and ARGV[3] ~= '' and is_other then
  doubt = ARGV[3]
  redis.call('HSET', KEYS[1], 'doubt', doubt)
end

local sample = {}
if newest == 0 then
  local back = 0
  while back < place and back < KEPT do
    local word, at = marker_at(place - back)
    if word then
      for _, part in ipairs({place - back, word, at}) do sample[#sample + 1] = part end
    end
    back = back * 2 + 1
  end
end

local added = 0
local is_known = run ~= '' and (known == '' or known == run) and found == newest
if is_known and doubt == '' and ARGV[1] ~= '' then
  place = redis.call('HINCRBY', KEYS[1], 'place', 1)
  redis.call('LPUSH', KEYS[2], ARGV[1] .. ' ' .. string.format('%.0f', now))
  redis.call('LTRIM', KEYS[2], 0, KEPT - 1)
  added = place
end
return {run, place, now, found, added, epoch[3] or '', doubt, sample}
