-- expect: memory
-- A table that grows in a coroutine.
coroutine.wrap(function() local t = {} while true do t[#t + 1] = {} end end)()
