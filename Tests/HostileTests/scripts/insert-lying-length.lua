-- expect: error
-- Insertion into a length that lies.
table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, 1)
