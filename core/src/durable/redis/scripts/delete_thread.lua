-- The logs are deleted one by one, by their own keys.
local reply = {'runs'}
for index, run in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do reply[index + 1] = run end
redis.call('DEL', KEYS[1])
return reply
