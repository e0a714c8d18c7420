-- expect: timeout
-- Tail calls for ever.
local function f() return f() end f()
