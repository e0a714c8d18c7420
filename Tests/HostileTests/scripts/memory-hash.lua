-- expect: memory
-- A table with ever more names.
local t = {} local i = 0 while true do i = i + 1 t["k" .. i] = i end
