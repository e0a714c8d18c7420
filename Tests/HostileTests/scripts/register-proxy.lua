-- expect: survives, in: load
-- A module that is a proxy: it is looked at raw, and registers nothing.
return setmetatable({}, {__index = function() while true do end end})
