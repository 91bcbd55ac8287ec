-- The logs are deleted one by one, by their own keys.
local runs = redis.call('ZRANGE', KEYS[2], 0, -1)
redis.call('DEL', KEYS[1])
return {'runs', unpack(runs)}
