-- expect: error
-- Removal from a length that lies.
table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)
