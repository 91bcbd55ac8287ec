local owner, lease = ARGV[2], tonumber(ARGV[3])

local log = redis.call('HMGET', KEYS[3], 'owner', 'lease_until', 'epoch', 'next', 'closed', 'keep', 'keep_thread')
if not log[1] then return {'unknown'} end
if log[5] then return {'closed'} end
local is_free = log[1] == owner or tonumber(log[2]) <= now
-- The agent of a log with frames has begun, and runs once.
if not is_free or log[4] ~= '1' then return {'held'} end

local epoch = log[3] + 1
redis.call('HSET', KEYS[3], 'owner', owner, 'epoch', epoch, 'lease_until', later(lease))
keep_open(lease, tonumber(log[6]), tonumber(log[7]))
return {'claimed', epoch}
