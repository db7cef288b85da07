-- Keeps the copy of an account, unless there is a newer one.
-- KEYS copy; ARGV version, for how many seconds, then names and values of its fields
local kept = redis.call('HGET', KEYS[1], 'version')
if kept and tonumber(kept) > tonumber(ARGV[1]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'version', ARGV[1], unpack(ARGV, 3))
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
