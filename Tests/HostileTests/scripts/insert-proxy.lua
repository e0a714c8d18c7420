-- expect: timeout
-- Insertion at the front of a long proxy, forever.
local p = setmetatable({}, {__len = function() return 3000000 end}) while true do table.insert(p, 1, 1) for i = 1, 3 do rawset(p, i, nil) end end
