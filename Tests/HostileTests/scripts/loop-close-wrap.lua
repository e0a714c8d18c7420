-- expect: timeout
-- In __close of a wrapped coroutine that fails.
coroutine.wrap(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) error("x") end)()
