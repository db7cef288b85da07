-- Says what was counted lately, or whose turn it is to count.
-- KEYS  the count that was told last; the turn of whoever counts
-- ARGV  the earliest and the latest time of a count that is good; how long a turn lasts, in ms
-- Gives the count; or the empty text, and it is the caller's turn; or 'wait', as it is another's.
local kept = redis.call('GET', KEYS[1])
local at = kept and tonumber(string.match(kept, '^%d+'))
if at and at >= tonumber(ARGV[1]) and at <= tonumber(ARGV[2]) then
  return kept
end
if redis.call('SET', KEYS[2], '1', 'NX', 'PX', ARGV[3]) then
  return ''
end
return 'wait'
