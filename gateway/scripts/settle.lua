-- Writes the ratings that a match leads to, once, if none of them has changed since it was read.
-- KEYS settled, ratings, leaders; ARGV mark, then for each player: name, version, mu, sigma, ordinal
-- Gives "settled", or "before", or "changed" and how many players come before the one concerned.
if redis.call('EXISTS', KEYS[1]) == 1 then return {'before', 0} end
local rows = {}
for i = 2, #ARGV, 5 do
  local kept = redis.call('HGET', KEYS[2], ARGV[i])
  local version, matches = 0, 0
  if kept then
    local v, m = string.match(kept, '^(%d+) (%d+) ')
    version, matches = tonumber(v), tonumber(m)
  end
  if version ~= tonumber(ARGV[i + 1]) then return {'changed', (i - 2) / 5} end
  local counts = string.format('%d %d', version + 1, matches + 1)
  local row = {counts, ARGV[i + 2], ARGV[i + 3], ARGV[i + 4]}
  rows[#rows + 1] = {ARGV[i], table.concat(row, ' '), ARGV[i + 4]}
end
for _, row in ipairs(rows) do
  redis.call('HSET', KEYS[2], row[1], row[2])
  redis.call('ZADD', KEYS[3], row[3], row[1])
end
redis.call('SET', KEYS[1], ARGV[1])
return {'settled', 0}
