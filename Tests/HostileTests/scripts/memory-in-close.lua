-- expect: memory
-- A __close that uses all memory.
local x <close> = setmetatable({}, {__close = function() local t = {} while true do t[#t + 1] = {} end end})
