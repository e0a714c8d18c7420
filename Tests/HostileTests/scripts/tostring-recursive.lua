-- expect: error
-- A __tostring that asks itself.
local t = setmetatable({}, {}) getmetatable(t).__tostring = function() return tostring(t) end return tostring(t)
