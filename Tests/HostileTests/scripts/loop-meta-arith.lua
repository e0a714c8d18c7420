-- expect: timeout
-- In __add.
return 1 + setmetatable({}, {__add = function() while true do end end})
