-- Keeps a match, unless there is one of its name; gives the one that is kept.
-- KEYS match; ARGV version, document
local kept = redis.call('HGET', KEYS[1], 'doc')
if kept then return kept end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'doc', ARGV[2])
return ARGV[2]
