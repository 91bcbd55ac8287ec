local epoch, lease = ARGV[2], tonumber(ARGV[3])

local log = redis.call('HMGET', KEYS[3], 'epoch', 'closed', 'cancelled', 'attended_until', 'keep', 'keep_thread')
if not log[1] then return {'unknown'} end
if log[2] then return {'closed'} end
if log[1] ~= epoch then return {'fenced'} end

redis.call('HSET', KEYS[3], 'lease_until', later(lease))
keep_open(lease, tonumber(log[5]), tonumber(log[6]))
local is_attended = not log[4] or tonumber(log[4]) > now
return {'renewed', log[3] or 0, is_attended and 1 or 0}
