-- Drops a match, if it is as the caller believes.
-- KEYS  head and log of the match, the due list of its partition
-- ARGV  the version and the head expected, nothing for none; the members no longer due
-- Gives 1 if there is no such match from then on, 0 if it is elsewhere, and then nothing has changed.
local now = redis.call('HMGET', KEYS[1], 'version', 'head')
if now[1] and (now[1] ~= ARGV[1] or (now[2] or '') ~= ARGV[2]) then
  return 0
end
redis.call('DEL', KEYS[1], KEYS[2])
if #ARGV > 2 then
  redis.call('ZREM', KEYS[3], unpack(ARGV, 3))
end
return 1
