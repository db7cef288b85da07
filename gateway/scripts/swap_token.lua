-- Gives an account another token, if it still has the one that was read. Run twice, it does so once.
-- KEYS account; ARGV old hash, new hash
local kept = redis.call('HGET', KEYS[1], 'token')
if kept == ARGV[2] then return 1 end
if kept ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[2])
return 1
