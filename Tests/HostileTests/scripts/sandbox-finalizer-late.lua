-- expect: survives
-- A finalizer that is named too late has no effect.
local m = {} setmetatable({}, m) m.__gc = function() while true do end end for i = 1, 100000 do local t = setmetatable({}, {}) end
