-- expect: survives
-- Coroutines whose closing closes the next.
local function chain(n) local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() if n > 0 then coroutine.close(chain(n - 1)) end end}) coroutine.yield() end) coroutine.resume(co) return co end coroutine.close(chain(2000))
