-- Adds to a match, if it is as the caller believes; otherwise changes nothing.
-- KEYS  head, log, the due list of the partition
-- ARGV  the version expected; the channel and the match, to tell; four counts; then so many
--       lines of the log, fields of the head with their values, members no longer due, and
--       members due with their times
-- Replies 1 if it was done.
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then
  return 0
end

local lines, fields, undue, due = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local at = 8
local revision
if lines > 0 then
  revision = redis.call('RPUSH', KEYS[2], unpack(ARGV, at, at + lines - 1))
  at = at + lines
else
  revision = redis.call('LLEN', KEYS[2])
end
redis.call('HSET', KEYS[1], 'version', ARGV[1] + 1, unpack(ARGV, at, at + 2 * fields - 1))
at = at + 2 * fields
if undue > 0 then
  redis.call('ZREM', KEYS[3], unpack(ARGV, at, at + undue - 1))
  at = at + undue
end
if due > 0 then
  redis.call('ZADD', KEYS[3], unpack(ARGV, at, at + 2 * due - 1))
end
redis.call('PUBLISH', ARGV[2], ARGV[3] .. ' ' .. revision)
return 1
