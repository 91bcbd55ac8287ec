-- ARGV[2] and ARGV[3] as `end_if_lost` reads them.
end_if_lost()
forget_run()
local log = redis.call('HMGET', KEYS[3], 'incarnation', 'digest', 'next', 'closed', 'cancelled')
if not log[1] then return {'unknown'} end
return {'info', log[1], log[2], log[3], log[4] or 0, log[5] or 0}
