-- Reads a match at one moment.
-- KEYS  head and log of the match
-- ARGV  the version that the caller has; how many lines of the log it has
-- Gives nothing if there is no such match, its version alone if the caller has it, and otherwise
-- the version, the number of lines, those the caller lacks joined by line feeds, and the head.
local version = redis.call('HGET', KEYS[1], 'version')
if not version then
  return false
end
if version == ARGV[1] then
  return {version}
end
local lines = redis.call('LRANGE', KEYS[2], ARGV[2], -1)
return {version, redis.call('LLEN', KEYS[2]), table.concat(lines, '\n'), redis.call('HGETALL', KEYS[1])}
