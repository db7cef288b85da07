-- Notes that a guest asks for a name, unless he asked for another one a moment ago. So of the names
-- that one account asks for at once only one can be given away in vain.
-- KEYS account; ARGV name, for how many ms others must wait
-- Gives "begun", or "claimed" if he has it, "named" if he is no guest, "busy".
local kept = redis.call('HMGET', KEYS[1], 'name', 'guest', 'claim')
if kept[2] ~= '1' then return kept[1] == ARGV[1] and 'claimed' or 'named' end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local other, began = string.match(kept[3] or '', '^(%S+) (%d+)$')
if other and other ~= ARGV[1] and now < began + tonumber(ARGV[2]) then return 'busy' end
redis.call('HSET', KEYS[1], 'claim', string.format('%s %.0f', ARGV[1], now))
return 'begun'
