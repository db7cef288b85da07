-- Keeps the copy of an account, unless there is a newer one.
-- KEYS copy; ARGV version, for how many seconds, then names and values of its fields
local kept = redis.call('HGET', KEYS[1], 'version')
if kept and tonumber(kept) > tonumber(ARGV[1]) then return 0 end
local stale = {}
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do stale[field] = true end
redis.call('HSET', KEYS[1], 'version', ARGV[1], unpack(ARGV, 3))
stale['version'] = nil
for i = 3, #ARGV, 2 do stale[ARGV[i]] = nil end
for field in pairs(stale) do redis.call('HDEL', KEYS[1], field) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
