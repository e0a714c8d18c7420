-- expect: timeout
-- A coroutine that was ended, with a __close, closed by pcall.
local co = coroutine.create(function() local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end end) while true do pcall(coroutine.resume, co) pcall(coroutine.close, co) end
