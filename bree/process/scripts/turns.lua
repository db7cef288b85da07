-- Whose bot thinks next. See bree/process/turns.py for what is kept and why.
-- KEYS  what all keys begin with; its tag keeps them in one slot
-- ARGV  the time in ms, or nothing for Redis's own; what is asked; then as each of them needs
local key, what = KEYS[1], ARGV[2]
local LANES = {'people', 'alone'}
local LEASE, SEEN, GUESS, TURN_OF_THE_LAST = 12000, 60000, 1000, 8
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local reached = tonumber(redis.call('GET', key .. ':reached') or '0')

local function queue(lane, payer) return key .. ':' .. lane .. ':' .. payer end

-- The turns that are being thought about, without those whose workers are not heard of any more.
local held, holds, alone, holding = {}, {}, 0, 0
local flat = redis.call('HGETALL', key .. ':held')
for i = 1, #flat, 2 do
  local one = cjson.decode(flat[i + 1])
  if one.till > now then
    held[flat[i]] = one
    holds[one.payer] = (holds[one.payer] or 0) + 1
    holding = holding + 1
    if one.lane == 'alone' then alone = alone + 1 end
  else
    redis.call('HDEL', key .. ':held', flat[i])
  end
end

-- How many turns can be thought about at once, as far as workers have told of late.
local function slots()
  local total, told = 0, redis.call('HGETALL', key .. ':slots')
  for i = 1, #told, 2 do
    local at, number = string.match(told[i + 1], '^(%d+) (%d+)$')
    if tonumber(at) > now - SEEN then
      total = total + number
    else
      redis.call('HDEL', key .. ':slots', told[i])
    end
  end
  return total
end

-- Who is next in a lane and what he has used, or nothing. One slot is always kept from an account
-- that has all others, and from the matches without people together.
local function next_in(lane, most, but)
  if lane == 'alone' and alone >= most then return nil end
  local first = redis.call('ZRANGE', key .. ':' .. lane, 0, holding + 1, 'WITHSCORES')
  for i = 1, #first, 2 do
    if first[i] ~= but and (holds[first[i]] or 0) < most then
      return first[i], tonumber(first[i + 1])
    end
  end
end

local function used_by(payer)
  return math.max(reached, tonumber(redis.call('ZSCORE', key .. ':used', payer) or '0'))
end

local function charge(payer, ms)
  local used = math.max(reached, used_by(payer) + ms)
  redis.call('ZADD', key .. ':used', used, payer)
  for _, lane in ipairs(LANES) do redis.call('ZADD', key .. ':' .. lane, 'XX', used, payer) end
end

-- Let an account pay for its thinking since it last did. The first second is paid on taking.
local function settle(one)
  charge(one.payer, now - one.since - one.paid)
  one.since, one.paid = now, 0
end

local function keep(token, one)
  one.till = now + LEASE
  redis.call('HSET', key .. ':held', token, cjson.encode(one))
end

if what == 'add' then
  local lane, payer, turn, cause = ARGV[3], ARGV[4], ARGV[5], ARGV[6]
  for _, one in pairs(held) do if one.turn == turn then return 0 end end
  redis.call('ZADD', queue(lane, payer), 'NX', redis.call('INCR', key .. ':came'), turn)
  redis.call('ZADD', key .. ':' .. lane, 'NX', used_by(payer), payer)
  if cause ~= '' then redis.call('HSETNX', key .. ':causes', turn, cause) end
  return 1
end

local token = ARGV[3]
local one = held[token]

if what == 'take' then
  redis.call('HSET', key .. ':slots', ARGV[4], string.format('%d %d', now, ARGV[5]))
  if one then  -- whoever took it was killed, and its task has come again
    keep(token, one)
    return {one.turn, one.lane, one.payer, one.cause}
  end
  local most = math.max(1, slots() - 1)
  local order = LANES
  if redis.call('INCR', key .. ':taken') % TURN_OF_THE_LAST == 0 then order = {'alone', 'people'} end
  for _, lane in ipairs(order) do
    local payer, used = next_in(lane, most)
    if payer then
      local turn = redis.call('ZPOPMIN', queue(lane, payer))[1]
      if redis.call('EXISTS', queue(lane, payer)) == 0 then
        redis.call('ZREM', key .. ':' .. lane, payer)
      end
      reached = math.max(reached, used)
      redis.call('SET', key .. ':reached', string.format('%d', reached))
      redis.call('ZREMRANGEBYSCORE', key .. ':used', '-inf', reached)
      charge(payer, GUESS)
      local cause = redis.call('HGET', key .. ':causes', turn) or ''
      redis.call('HDEL', key .. ':causes', turn)
      one = {payer = payer, lane = lane, turn = turn, cause = cause, since = now, paid = GUESS}
      keep(token, one)
      return {turn, lane, payer, cause}
    end
  end
  return nil
end

if what == 'go_on' then
  if not one then return 0 end
  settle(one)
  keep(token, one)
  local most = math.max(1, slots() - 1)
  local other, used = next_in('people', most, one.payer)
  if other and (one.lane == 'alone' or used < used_by(one.payer)) then return 0 end
  if one.lane == 'alone' then
    other, used = next_in('alone', most + 1, one.payer)
    if other and used < used_by(one.payer) then return 0 end
  end
  one.turn = ARGV[4]
  keep(token, one)
  return 1
end

if what == 'done' then
  if one then
    settle(one)
    redis.call('HDEL', key .. ':held', token)
    holds[one.payer], holding = holds[one.payer] - 1, holding - 1
    if one.lane == 'alone' then alone = alone - 1 end
  end
  local most = math.max(1, slots() - 1)
  if next_in('people', most) or next_in('alone', most) then return 1 end
  return 0
end
