-- ARGV[2]: the channel.
if redis.call('EXISTS', KEYS[3]) == 0 then return {'unknown'} end
redis.call('HSET', KEYS[3], 'cancelled', 1)
redis.call('PUBLISH', ARGV[2], 'cancelled')
return {'done'}
