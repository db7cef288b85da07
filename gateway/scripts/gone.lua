-- Takes those from the list of who is here whose time is over.
-- KEYS here; ARGV time, most
-- Gives them.
local over = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
if #over > 0 then redis.call('ZREM', KEYS[1], unpack(over)) end
return over
