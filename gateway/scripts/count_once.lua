-- Counts that an owner does something; whether that is not too often.
-- KEYS owner; ARGV within how many ms, how often at most
local often = redis.call('INCR', KEYS[1])
if often == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return often <= tonumber(ARGV[2]) and 1 or 0
