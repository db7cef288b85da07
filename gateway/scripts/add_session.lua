-- Begins a session of an account that is not revoked, with a login code or without; of too many,
-- the longest unused one ends. Run twice, it does so once.
-- KEYS account, sessions; ARGV session, its row, most, hash of the code or nothing
-- A row is: hash of the token, time it began, time it was last used, device.
if redis.call('HGET', KEYS[2], ARGV[1]) == ARGV[2] then return 1 end
local token = redis.call('HGET', KEYS[1], 'token')
if not token or token == '' then return 0 end
if ARGV[4] ~= '' then
  local code, ends = string.match(redis.call('HGET', KEYS[1], 'code') or '', '^(%S+) (%d+)$')
  if code ~= ARGV[4] then return 0 end
  redis.call('HDEL', KEYS[1], 'code')
  local now = redis.call('TIME')
  if now[1] * 1000 + math.floor(now[2] / 1000) >= tonumber(ends) then return 0 end
end
local rows = redis.call('HGETALL', KEYS[2])
for _ = #rows / 2, tonumber(ARGV[3]), -1 do
  local oldest, latest
  for i = 1, #rows, 2 do
    local used = rows[i + 1] and tonumber(string.match(rows[i + 1], '^%S+ %d+ (%d+)'))
    if used and (not latest or used < latest) then oldest, latest = i, used end
  end
  redis.call('HDEL', KEYS[2], rows[oldest])
  rows[oldest + 1] = false
end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
return 1
