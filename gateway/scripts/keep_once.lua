-- Keeps something that is taken once; what is oldest of its owner's makes room for it.
-- KEYS owner; ARGV name, for how many ms, how many at most, value
-- A field is until when, how many wrong guesses there were, and the value.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local kept, oldest, least = 0, nil, nil
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  local ends = tonumber(string.match(all[i + 1], '^%d+'))
  if ends <= now then
    redis.call('HDEL', KEYS[1], all[i])
  elseif all[i] ~= ARGV[1] then
    kept = kept + 1
    if not least or ends < least then oldest, least = all[i], ends end
  end
end
if kept >= tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], oldest) end
local ends = string.format('%.0f', now + ARGV[2])
redis.call('HSET', KEYS[1], ARGV[1], ends .. ' 0 ' .. ARGV[4])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
