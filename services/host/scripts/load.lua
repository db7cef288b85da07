-- Reads a match at one moment.
-- KEYS  head and log of the match
-- ARGV  the version that the caller has; how many lines of the log it has; the head that it has
-- Gives nothing if there is no such match, its version alone if the caller has both, and otherwise
-- the version, the number of lines, those the caller lacks joined by line feeds, and the head.
local now = redis.call('HMGET', KEYS[1], 'version', 'head')
local version = now[1]
if not version then
  return false
end
if version == ARGV[1] and (now[2] or '') == ARGV[3] then
  return {version}
end
local lines = redis.call('LRANGE', KEYS[2], ARGV[2], -1)
return {version, redis.call('LLEN', KEYS[2]), table.concat(lines, '\n'), redis.call('HGETALL', KEYS[1])}
