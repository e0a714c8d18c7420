-- expect: error
-- A length that lies.
return table.concat(setmetatable({}, {__len = function() return 1 << 50 end}))
