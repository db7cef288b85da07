-- Forgets by which request a match was opened.
-- KEYS asked; ARGV match
local request = redis.call('HGET', KEYS[1], ' ' .. ARGV[1])
if not request then return 0 end
local kept = redis.call('HGET', KEYS[1], request)
local gone = {' ' .. ARGV[1]}
if kept and string.match(kept, '^(%S+)') == ARGV[1] then gone[2] = request end
redis.call('HDEL', KEYS[1], unpack(gone))
return 1
