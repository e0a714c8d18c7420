-- expect: error
-- Errors in a hundred __close.
local function f(n) local x <close> = setmetatable({}, {__close = function() error(n) end}) if n > 0 then f(n - 1) end error("x") end f(100)
