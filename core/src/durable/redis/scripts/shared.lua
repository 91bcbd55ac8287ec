-- Before every script. KEYS: the thread, its runs, the log, its frames. ARGV[1]: the hash of the run.
local FORMAT = 1
-- What a newer version has written in another way is left as it is.
for _, key in ipairs({KEYS[1], KEYS[3]}) do
  local format = redis.call('HGET', key, 'format')
  if format and tonumber(format) > FORMAT then return {'format', format} end
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Numbers as texts without an exponent; the greatest leaves room for additions.
local function text(number) return string.format('%.0f', math.min(number, 4e15)) end
local function later(millis) return text(now + millis) end

-- Keeps the keys of a log without an end for as long as a reader may want its end.
local function keep_open(lease, keep, keep_thread)
  local longest = lease + keep
  redis.call('PEXPIRE', KEYS[3], text(longest))
  redis.call('PEXPIRE', KEYS[4], text(longest))
  redis.call('PEXPIRE', KEYS[2], text(math.max(longest, keep_thread)))
  redis.call('PEXPIRE', KEYS[1], text(math.max(longest, keep_thread)))
end

-- Closes the log: its thread is free.
local function close(run_id, keep, keep_thread, snapshot)
  redis.call('HSET', KEYS[3], 'closed', 1)
  redis.call('HSET', KEYS[1], 'last', ARGV[1], 'last_id', run_id)
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('HDEL', KEYS[1], 'active', 'active_id')
  if snapshot then redis.call('HSET', KEYS[1], 'snapshot', snapshot) end
  redis.call('ZADD', KEYS[2], later(keep), ARGV[1])
  redis.call('PEXPIRE', KEYS[3], text(keep))
  redis.call('PEXPIRE', KEYS[4], text(keep))
  redis.call('PEXPIRE', KEYS[2], text(math.max(keep, keep_thread)))
  redis.call('PEXPIRE', KEYS[1], text(keep_thread))
end

-- The name of this start of the server.
local function server() return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') end

-- Ends the run if its lease is over. ARGV[2]: the last frame, ARGV[3]: the channel of hints.
local function end_if_lost()
  local log = redis.call('HMGET', KEYS[3], 'lease_until', 'closed', 'next', 'epoch', 'run_id', 'keep', 'keep_thread', 'server', 'incarnation')
  if not log[1] or log[2] or tonumber(log[1]) > now then return end
  -- A server that was started again may have lost frames that readers have: their numbers must not mean others.
  if log[8] and log[8] ~= server() then
    local other = redis.sha1hex(log[9] .. server())
    redis.call('HSET', KEYS[3], 'incarnation', string.sub(other, 1, 21) .. string.sub(log[9], -1))
  end
  redis.call('XADD', KEYS[4], '0-' .. log[3], 'f', ARGV[2])
  redis.call('HSET', KEYS[3], 'next', log[3] + 1, 'epoch', log[4] + 1)
  close(log[5], tonumber(log[6]), tonumber(log[7]))
  redis.call('PUBLISH', ARGV[3], log[3] + 1)
end

-- Forgets the active run of the thread, if it is this one and has no log.
local function forget_run()
  if redis.call('HGET', KEYS[1], 'active') == ARGV[1] and redis.call('EXISTS', KEYS[3]) == 0 then
    redis.call('HDEL', KEYS[1], 'active', 'active_id')
    if redis.call('HEXISTS', KEYS[1], 'last') == 0 then redis.call('DEL', KEYS[1]) end
  end
end
