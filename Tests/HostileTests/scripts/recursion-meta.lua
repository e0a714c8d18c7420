-- expect: error
-- Metamethods that call themselves.
local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k .. "x"] end return t.x
