-- Gives a guest the name that he asked for, now that it is his; or lets him ask for another one.
-- Run twice, it does so once.
-- KEYS account; ARGV name, "1" if it is his
-- Gives "claimed", or "named" if he got another one meanwhile, "busy" if he asks for another one.
local kept = redis.call('HMGET', KEYS[1], 'name', 'guest', 'claim')
if kept[2] ~= '1' then return kept[1] == ARGV[1] and 'claimed' or 'named' end
if string.match(kept[3] or '', '^%S+') ~= ARGV[1] then return 'busy' end
redis.call('HDEL', KEYS[1], 'claim')
if ARGV[2] == '1' then
  redis.call('HSET', KEYS[1], 'first', kept[1], 'name', ARGV[1], 'guest', '0')
end
return 'claimed'
