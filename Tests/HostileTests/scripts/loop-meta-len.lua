-- expect: timeout
-- In __len, asked for by a C function.
table.unpack(setmetatable({}, {__len = function() while true do end end}))
