-- ARGV[2] and ARGV[3] as `end_if_lost` reads them, then the incarnation or '', the number, the largest sum of bytes.
end_if_lost()
local incarnation, after, left = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])

local log = redis.call('HMGET', KEYS[3], 'incarnation', 'next', 'closed')
if not log[1] then return {'unknown'} end
if incarnation ~= '' and incarnation ~= log[1] then return {'replaced'} end
local next = tonumber(log[2])
if after >= next then return {'ahead'} end

local page = {'page', log[1], after + 1, next, log[3] or 0}
local number = after + 1
local is_full = false
while number < next and not is_full do
  local entries = redis.call('XRANGE', KEYS[4], '0-' .. number, '+', 'COUNT', 16)
  if #entries == 0 then return {'trimmed'} end
  for _, entry in ipairs(entries) do
    if entry[1] ~= '0-' .. number then return {'trimmed'} end
    local frame = entry[2][2]
    if number > after + 1 and #frame > left then
      is_full = true
      break
    end
    left = left - #frame
    page[#page + 1] = frame
    number = number + 1
  end
end
return page
