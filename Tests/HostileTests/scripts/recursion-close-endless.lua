-- expect: timeout
-- The same without an end.
local function chain() local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() coroutine.close(chain()) end}) coroutine.yield() end) coroutine.resume(co) return co end while true do pcall(coroutine.close, chain()) end
