-- Gives what was kept, and has it no more.
-- KEYS owner; ARGV name
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return false end
redis.call('HDEL', KEYS[1], ARGV[1])
local time = redis.call('TIME')
local ends, value = string.match(kept, '^(%d+) %d+ (.*)$')
if tonumber(ends) <= time[1] * 1000 + math.floor(time[2] / 1000) then return false end
return value
