-- expect: memory
-- Packed arguments.
local t = {} while true do t[#t + 1] = table.pack(table.unpack({}, 1, 200)) end
