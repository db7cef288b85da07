-- The members of a sorted set after a place, from the highest score down; of equal scores the last
-- name first.
-- KEYS set; ARGV score, name, limit
local function is_above(a, b) -- by bytes, as sorted sets compare; `<` would go by the locale
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x > y end
  end
  return #a > #b
end

local score = redis.call('ZSCORE', KEYS[1], ARGV[2])
local start
if score and tonumber(score) == tonumber(ARGV[1]) then
  start = redis.call('ZREVRANK', KEYS[1], ARGV[2]) + 1
else -- it is gone, or has moved: find where it would be
  start = redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[1], '+inf')
  local beyond = start + redis.call('ZCOUNT', KEYS[1], ARGV[1], ARGV[1])
  while start < beyond do
    local middle = math.floor((start + beyond) / 2)
    local name = redis.call('ZREVRANGE', KEYS[1], middle, middle)[1]
    if is_above(name, ARGV[2]) then start = middle + 1 else beyond = middle end
  end
end
return redis.call('ZREVRANGE', KEYS[1], start, start + tonumber(ARGV[3]) - 1, 'WITHSCORES')
