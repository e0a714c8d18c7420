-- expect: timeout
-- In __tostring, asked for by format.
return ("%s"):format(setmetatable({}, {__tostring = function() while true do end end}))
