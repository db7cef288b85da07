-- Keeps a note of a team under the next number, unless its writer has sent it before.
-- KEYS notes; ARGV account, request id, the note, how many are kept, among how many it is looked for
-- Gives the note that is kept, and its number.
local known = redis.call('ZREVRANGE', KEYS[1], 0, tonumber(ARGV[5]) - 1, 'WITHSCORES')
for i = 1, #known, 2 do
  local note = cjson.decode(known[i])
  if note[1] == ARGV[1] and note[6] == ARGV[2] then return {known[i], known[i + 1]} end
end
local number = (known[2] and tonumber(known[2]) or 0) + 1
redis.call('ZADD', KEYS[1], number, ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -1 - tonumber(ARGV[4]))
return {ARGV[3], tostring(number)}
