-- expect: timeout
-- In __call.
setmetatable({}, {__call = function() while true do end end})()
