-- expect: error
-- A coroutine in a coroutine, without end.
local function f() local ok, e = coroutine.resume(coroutine.create(f)) error(e, 0) end f()
