-- Gives an account another token, if whoever asks still has a good one: its own, or a session's.
-- An empty one ends all sessions, too. Run twice, it does so once.
-- KEYS account, sessions; ARGV hash of the asker's token, new hash, his session or nothing
local kept = redis.call('HGET', KEYS[1], 'token')
if not kept then return 0 end
if kept == ARGV[2] then return 1 end
if kept == '' then return 0 end
local proof = kept
if ARGV[3] ~= '' then
  local session = redis.call('HGET', KEYS[2], ARGV[3])
  proof = session and string.match(session, '^%S+')
end
if proof ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'token', ARGV[2])
if ARGV[2] == '' then
  redis.call('DEL', KEYS[2])
  redis.call('HDEL', KEYS[1], 'code')
end
return 1
