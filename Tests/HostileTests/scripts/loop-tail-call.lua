-- expect: timeout
-- Tail calls forever.
local function f() return f() end f()
