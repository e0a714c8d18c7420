-- expect: memory
-- Weak tables as metatables while memory runs out, if a mode that comes too late made any.
local t = {}
while true do
  local m, n = {}, {}
  m.__index, n.__index = m, function() return m end
  setmetatable(m, m)
  t[#t + 1] = setmetatable({}, setmetatable(n, m))
  m.__mode, n.__mode = "k", "v"
  local x = t[#t].y
end
