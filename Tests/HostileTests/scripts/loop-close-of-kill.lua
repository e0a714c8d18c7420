-- expect: timeout
-- In __close while the call is being ended.
local x <close> = setmetatable({}, {__close = function() while true do end end}) while true do end
