return {'thread', unpack(redis.call('HMGET', KEYS[1], 'active_id', 'last_id', 'version', 'snapshot', 'active'))}
