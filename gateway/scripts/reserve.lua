-- Reserves one of an account's open matches, once for each request id, as long as there is room.
-- KEYS open, asked; ARGV match, time, request id, digest of the request, most
-- The match is noted with its request, too: under its name after a blank, which no request has.
-- Gives the reservation that holds, "match digest", or nothing if there is no room.
if ARGV[3] ~= '' then
  local known = redis.call('HGET', KEYS[2], ARGV[3])
  if known then return known end
end
local there = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not there and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[5]) then return false end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
local mine = ARGV[1] .. ' ' .. ARGV[4]
if ARGV[3] ~= '' then redis.call('HSET', KEYS[2], ARGV[3], mine, ' ' .. ARGV[1], ARGV[3]) end
return mine
