-- Whether something is what was kept: then, or after too many wrong guesses, it is kept no more.
-- KEYS owner; ARGV name, what it is taken for, how many guesses there are
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return 0 end
local time = redis.call('TIME')
local ends, wrong, value = string.match(kept, '^(%d+) (%d+) (.*)$')
local is_late = tonumber(ends) <= time[1] * 1000 + math.floor(time[2] / 1000)
local is_right = not is_late and value == ARGV[2]
if is_late or is_right or wrong + 1 >= tonumber(ARGV[3]) then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  local more = string.format('%.0f', wrong + 1)
  redis.call('HSET', KEYS[1], ARGV[1], ends .. ' ' .. more .. ' ' .. value)
end
return is_right and 1 or 0
