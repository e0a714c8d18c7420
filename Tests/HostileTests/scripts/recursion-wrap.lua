-- expect: error
-- The same, wrapped.
local function f() return coroutine.wrap(f)() end f()
