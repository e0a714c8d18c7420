-- expect: timeout
-- In __concat.
return "a" .. setmetatable({}, {__concat = function() while true do end end})
