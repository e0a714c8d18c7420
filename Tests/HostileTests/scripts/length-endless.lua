-- expect: timeout or memory
-- Lengths that call one another.
local t = setmetatable({}, {})
getmetatable(t).__len = function(u) return #u end
while true do pcall(function() return #t end) end
