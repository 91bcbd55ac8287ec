-- ARGV[2] and ARGV[3] as `end_if_lost` reads them, then the incarnation or '', the number, the largest sum of bytes.
end_if_lost()
local incarnation, after, left = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])

local log = redis.call('HMGET', KEYS[3], 'incarnation', 'next', 'closed')
if not log[1] then return {'unknown'} end
if incarnation ~= '' and incarnation ~= log[1] then return {'replaced'} end
local next = tonumber(log[2])
if after >= next then return {'ahead'} end

-- The frames are one text behind their lengths: a client reads few values faster than many.
local frames, lengths, count = {}, {}, 0
local number, chunk, is_full = after + 1, 16, false
while number < next and not is_full do
  local entries = redis.call('XRANGE', KEYS[4], '0-' .. number, '+', 'COUNT', chunk)
  -- Numbers grow, so that the last one says whether any is missing.
  if #entries == 0 or entries[#entries][1] ~= '0-' .. (number + #entries - 1) then return {'trimmed'} end
  for _, entry in ipairs(entries) do
    local frame = entry[2][2]
    if count > 0 and #frame > left then
      is_full = true
      break
    end
    left = left - #frame
    count = count + 1
    frames[count], lengths[count] = frame, #frame
  end
  number = number + #entries
  chunk = math.min(chunk * 2, 128)
end
return {'page', log[1], after + 1, next, log[3] or 0, table.concat(lengths, ' '), table.concat(frames)}
