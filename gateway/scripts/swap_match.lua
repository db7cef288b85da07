-- Keeps another document of a match, if it still has the version that was read. Run twice, it does
-- so once.
-- KEYS match; ARGV version read, new version, document
local kept = redis.call('HMGET', KEYS[1], 'version', 'doc')
if kept[2] == ARGV[3] then return 1 end
if kept[1] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'doc', ARGV[3])
return 1
