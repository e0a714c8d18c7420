-- expect: timeout
-- In __tostring, asked for by print.
print(setmetatable({}, {__tostring = function() while true do end end}))
