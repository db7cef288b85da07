-- Notes that a session was used, unless it has ended or somebody has noted a later use.
-- KEYS sessions; ARGV session, hash of its token, time
local row = redis.call('HGET', KEYS[1], ARGV[1])
if not row then return 0 end
local hash, began, used, device = string.match(row, '^(%S+) (%d+) (%d+) (.*)$')
if hash ~= ARGV[2] or tonumber(used) >= tonumber(ARGV[3]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], table.concat({hash, began, ARGV[3], device}, ' '))
return 1
