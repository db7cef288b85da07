-- Hands out what is due, and puts it off until the lease ends.
-- KEYS  the due list of a partition
-- ARGV  until when it must have become due; the end of the lease; how many at most
-- Gives the members, the oldest first.
local members = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, member in ipairs(members) do
  redis.call('ZADD', KEYS[1], 'XX', ARGV[2], member)
end
return members
