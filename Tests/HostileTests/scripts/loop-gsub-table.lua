-- expect: timeout
-- In the __index of gsub’s table.
("abc"):gsub(".", setmetatable({}, {__index = function() while true do end end}))
