-- Forgets by which request a match was opened.
-- KEYS asked; ARGV match
local request = redis.call('HGET', KEYS[1], ' ' .. ARGV[1])
if not request then return 0 end
local kept = redis.call('HGET', KEYS[1], request)
if kept and string.match(kept, '^(%S+)') == ARGV[1] then redis.call('HDEL', KEYS[1], request) end
return redis.call('HDEL', KEYS[1], ' ' .. ARGV[1])
