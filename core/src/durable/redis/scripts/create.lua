local _, run_id, parent, incarnation, digest, owner = unpack(ARGV)
local lease, max_bytes, keep, keep_thread = tonumber(ARGV[7]), ARGV[8], tonumber(ARGV[9]), tonumber(ARGV[10])
-- Each '' if there is none; the last one asks whether the server evicts keys.
local grace, snapshot, asks = ARGV[11], ARGV[12], ARGV[13] ~= ''

-- The policy by which the server evicts keys; '' if it does not.
local function eviction()
  local memory = redis.call('INFO', 'memory')
  local policy = string.match(memory, 'maxmemory_policy:([%w%-]+)') or ''
  local has_limit = string.match(memory, 'maxmemory:(%d+)') ~= '0'
  return has_limit and policy ~= 'noeviction' and policy or ''
end

local log = redis.call('HMGET', KEYS[3], 'digest', 'owner', 'epoch', 'next', 'closed', 'incarnation', 'cancelled')
if log[1] then
  if log[1] ~= digest then return {'conflict'} end
  -- The reply to the first request was lost.
  local is_repeated = log[2] == owner and log[3] == '1' and log[4] == '1' and not log[5]
  if is_repeated then return {'created', log[6], 1} end
  return {'exists', log[6], log[1], log[4], log[5] or 0, log[7] or 0}
end
local thread = redis.call('HMGET', KEYS[1], 'active', 'active_id', 'last', 'last_id')
if thread[1] then return {'busy', thread[2], thread[1]} end
if parent ~= '' and thread[3] and thread[3] ~= parent then return {'stale', thread[4]} end

redis.call('HSET', KEYS[3], 'format', FORMAT, 'incarnation', incarnation, 'digest', digest, 'run_id', run_id, 'owner', owner, 'epoch', 1,
  'next', 1, 'bytes', 0, 'lease_until', later(lease), 'max_bytes', max_bytes, 'keep', keep, 'keep_thread', keep_thread, 'server', server())
if grace ~= '' then redis.call('HSET', KEYS[3], 'grace', grace, 'attended_until', later(tonumber(grace))) end
redis.call('DEL', KEYS[4])
redis.call('HSET', KEYS[1], 'format', FORMAT, 'active', ARGV[1], 'active_id', run_id)
if snapshot ~= '' then
  redis.call('HSET', KEYS[1], 'snapshot', snapshot)
  redis.call('HINCRBY', KEYS[1], 'version', 1)
end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], '+inf', ARGV[1])
keep_open(lease, keep, keep_thread)
return {'created', incarnation, 1, asks and eviction() or nil}
