-- Takes a match that is over from those that an account may sit in, and keeps its end to be told.
-- That it was there makes it news: whoever notes the same end again changes nothing.
-- KEYS live, ended; ARGV match, how many ends are kept, for how many seconds
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return 0 end
local now = redis.call('TIME')
redis.call('ZADD', KEYS[2], now[1] * 1000 + math.floor(now[2] / 1000), ARGV[1])
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[2]))
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
