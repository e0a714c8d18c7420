-- expect: refused, in: effect
-- No value that a script yields is mistaken for a wait.
local co = coroutine.create(function(...) return coroutine.yield(nil, ...) end)
local values = { coroutine.resume(co, print, co, 1) }
assert(values[1] == true and values[3] == print)
self.dispatch("go3")
