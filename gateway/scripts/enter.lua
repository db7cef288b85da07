-- Notes that an account may sit in a match, if it sits in fewer than `most` others.
-- KEYS live, seated; ARGV match, time, time the match was opened, most
local there = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not there and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
