-- expect: timeout
-- Long moves through C metamethods, forever.
local p = setmetatable({}, {__index = math.max, __newindex = rawequal}) while true do pcall(table.move, p, 1, 3900000, 1, p) end
