-- What stands behind the first word of what was kept, if a guess is that word.
-- KEYS owner; ARGV name, guess, how many guesses there are
-- A right guess, and the last wrong one, is the end of it.
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if not kept then return false end
local time = redis.call('TIME')
local ends, wrong, word, rest = string.match(kept, '^(%d+) (%d+) (%S+) ?(.*)$')
local is_late = tonumber(ends) <= time[1] * 1000 + math.floor(time[2] / 1000)
local is_right = not is_late and word == ARGV[2]
if is_late or is_right or wrong + 1 >= tonumber(ARGV[3]) then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  local counted = string.format('%s %.0f %s %s', ends, wrong + 1, word, rest)
  redis.call('HSET', KEYS[1], ARGV[1], counted)
end
return is_right and rest
