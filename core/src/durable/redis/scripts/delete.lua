redis.call('DEL', KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[2], ARGV[1])
forget_run()
return {'done'}
