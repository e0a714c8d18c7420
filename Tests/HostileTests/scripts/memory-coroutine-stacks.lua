-- expect: memory
-- Coroutines with long stacks.
local t = {} local function deep(n) if n == 0 then coroutine.yield() else deep(n - 1) return 1 end end while true do t[#t + 1] = coroutine.wrap(deep) t[#t](5000) end
