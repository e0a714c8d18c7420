-- expect: refused, in: effect
-- Nothing that a coroutine yields is taken for a wait.
local co = coroutine.create(function(...) return coroutine.yield(nil, ...) end)
local values = { coroutine.resume(co, print, co, 1) }
assert(values[1] == true and values[3] == print)
self.dispatch("go3")
