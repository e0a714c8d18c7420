-- expect: timeout
-- An error that is a table whose text loops.
error(setmetatable({}, {__tostring = function() while true do end end}))
