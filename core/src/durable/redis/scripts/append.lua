-- ARGV[2]: the channel, then the epoch, the number of the first frame, the room for an end, whether it is the end
-- ('', 'end' or 'snapshot', the last with one more argument), the frames.
local channel, epoch, first, end_bytes, ending = ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
local snapshot = ending == 'snapshot' and ARGV[7]
local start = ending == 'snapshot' and 8 or 7
local count = #ARGV - start + 1

local log = redis.call('HMGET', KEYS[3], 'epoch', 'next', 'closed', 'bytes', 'max_bytes', 'run_id', 'keep', 'keep_thread')
if not log[1] then return {'unknown'} end
if log[1] ~= epoch then return {'fenced'} end
local next = tonumber(log[2])
if first < 1 or first > next then return {'gap', next} end
local stored = next - first
if stored >= count then return {'appended', next} end
if log[3] then return {'closed'} end

local bytes = tonumber(log[4])
for index = start + stored, #ARGV do bytes = bytes + #ARGV[index] end
local room = tonumber(log[5])
if ending ~= '' then room = room + end_bytes end
if bytes > room then return {'tooBig'} end

for index = start + stored, #ARGV do
  redis.call('XADD', KEYS[4], '0-' .. next, 'f', ARGV[index])
  next = next + 1
end
redis.call('HSET', KEYS[3], 'next', next, 'bytes', text(bytes))
if first == 1 then redis.call('PEXPIRE', KEYS[4], math.max(redis.call('PTTL', KEYS[3]), 1)) end
if ending ~= '' then close(log[6], tonumber(log[7]), tonumber(log[8]), snapshot) end
redis.call('PUBLISH', channel, next)
return {'appended', next}
