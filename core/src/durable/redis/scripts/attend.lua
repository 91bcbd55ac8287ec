local log = redis.call('HMGET', KEYS[3], 'epoch', 'grace', 'attended_until')
if not log[1] then return {'unknown'} end
if log[2] then
  local moment = math.max(now + log[2], log[3])
  redis.call('HSET', KEYS[3], 'attended_until', text(moment))
end
return {'done'}
