-- Adds to a match if it is as the caller believes, and begins one that is not there.
-- KEYS  head and log of the match, the due list of its partition
-- ARGV  the version and the head expected, 0 and nothing for none; how many lines, fields, members
--       no longer due and members due follow; then these: a field with its value, a member due
--       after its time
-- Gives 1 if it was done, 0 if the match is elsewhere, and then nothing has changed.
local now = redis.call('HMGET', KEYS[1], 'version', 'head')
if (now[1] or '0') ~= ARGV[1] or (now[2] or '') ~= ARGV[2] then
  return 0
end

local lines, fields = tonumber(ARGV[3]), 2 * tonumber(ARGV[4])
local undue, due = tonumber(ARGV[5]), 2 * tonumber(ARGV[6])
local at = 7

if lines > 0 then
  redis.call('RPUSH', KEYS[2], unpack(ARGV, at, at + lines - 1))
end
at = at + lines
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, unpack(ARGV, at, at + fields - 1))
at = at + fields
if due > 0 then
  redis.call('ZADD', KEYS[3], unpack(ARGV, at + undue, at + undue + due - 1))
end
if undue > 0 then -- last: a key that this empties is gone, and elsewhere while its slot is moved
  redis.call('ZREM', KEYS[3], unpack(ARGV, at, at + undue - 1))
end
return 1
