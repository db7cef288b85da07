-- Adds to a match if it is as the caller believes, and begins one that is not there.
-- KEYS  head and log of the match, the due list of its partition
-- ARGV  the version expected, 0 for none; the channel and the match, for those who listen; how many
--       lines, fields, members no longer due and members due follow; then these: a field with its
--       value, a member due after its time
-- Gives 1 if it was done, 0 if the match has another version, and then nothing has changed.
if (redis.call('HGET', KEYS[1], 'version') or '0') ~= ARGV[1] then
  return 0
end

local lines, fields = tonumber(ARGV[4]), 2 * tonumber(ARGV[5])
local undue, due = tonumber(ARGV[6]), 2 * tonumber(ARGV[7])
local at = 8

if lines > 0 then
  redis.call('RPUSH', KEYS[2], unpack(ARGV, at, at + lines - 1))
end
at = at + lines
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, unpack(ARGV, at, at + fields - 1))
at = at + fields
if undue > 0 then
  redis.call('ZREM', KEYS[3], unpack(ARGV, at, at + undue - 1))
end
at = at + undue
if due > 0 then
  redis.call('ZADD', KEYS[3], unpack(ARGV, at, at + due - 1))
end
redis.call('PUBLISH', ARGV[2], ARGV[3] .. ' ' .. ARGV[1] + 1)
return 1
