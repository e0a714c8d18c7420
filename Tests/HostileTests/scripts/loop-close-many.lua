-- expect: timeout
-- A hundred __close in a row that all loop.
local function f(n) local x <close> = setmetatable({}, {__close = function() while true do end end}) if n > 0 then f(n - 1) end while true do end end pcall(f, 100)
