-- expect: timeout
-- pcall in a coroutine in pcall.
while true do pcall(coroutine.wrap(function() while true do pcall(function() while true do end end) end end)) end
