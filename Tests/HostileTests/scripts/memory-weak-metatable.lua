-- expect: memory
-- Weak tables as metatables while memory runs out.
local t = {} while true do local m = setmetatable({}, {__mode = "k"}) m.__index = m t[#t + 1] = setmetatable({}, setmetatable({}, {__mode = "v", __index = function() return m end})) local x = t[#t].y end
