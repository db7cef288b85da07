-- Removes members of a sorted set whose score is still the one that was read.
-- KEYS set; ARGV member, score, member, score …
local gone = {}
for i = 1, #ARGV, 2 do
  local score = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if score and tonumber(score) == tonumber(ARGV[i + 1]) then
    gone[#gone + 1] = ARGV[i]
  end
end
-- At once and last: a key that this empties is gone, and elsewhere while its slot is moved.
if #gone > 0 then redis.call('ZREM', KEYS[1], unpack(gone)) end
return 1
