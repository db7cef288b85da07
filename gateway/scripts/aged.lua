-- The members of a sorted set after a place, from the lowest score up to one; of equal scores the
-- first name first.
-- KEYS set; ARGV score and name of the place, or nothing and nothing; the highest score; limit
local function is_above(a, b) -- by bytes, as sorted sets compare; `<` would go by the locale
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x > y end
  end
  return #a > #b
end

local start = 0
if ARGV[1] ~= '' then
  start = redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. ARGV[1])
  local beyond = start + redis.call('ZCOUNT', KEYS[1], ARGV[1], ARGV[1])
  while start < beyond do
    local middle = math.floor((start + beyond) / 2)
    local name = redis.call('ZRANGE', KEYS[1], middle, middle)[1]
    if is_above(name, ARGV[2]) then beyond = middle else start = middle + 1 end
  end
end
local last = math.min(start + tonumber(ARGV[4]), redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[3])) - 1
if last < start then return {} end
return redis.call('ZRANGE', KEYS[1], start, last, 'WITHSCORES')
