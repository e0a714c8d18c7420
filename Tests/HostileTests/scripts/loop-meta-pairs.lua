-- expect: timeout
-- In __pairs.
for _ in pairs(setmetatable({}, {__pairs = function() while true do end end})) do end
