-- expect: error
-- A sort of a length that lies.
table.sort(setmetatable({}, {__len = function() return 1 << 40 end}))
