-- Counts what is due, handed out or not. A member is `kind|…|since`.
-- KEYS  the due list of a partition
-- ARGV  now; the end of a lease that began now and is the longest
-- Gives kind, number and the earliest since, for each kind.
local count, oldest, kinds = {}, {}, {}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[2])) do
  local kind, since = string.match(member, '^([^|]*)|.*|(%d+)$')
  if kind and tonumber(since) <= tonumber(ARGV[1]) then
    if not count[kind] then
      count[kind], oldest[kind] = 0, since
      kinds[#kinds + 1] = kind
    end
    count[kind] = count[kind] + 1
    if tonumber(since) < tonumber(oldest[kind]) then
      oldest[kind] = since
    end
  end
end
local found = {}
for _, kind in ipairs(kinds) do
  found[#found + 1], found[#found + 2], found[#found + 3] = kind, count[kind], oldest[kind]
end
return found
