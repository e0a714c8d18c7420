-- expect: timeout
-- A C function as the comparison of a long sort, again and again.
local t = {} for i = 1, 50000 do t[i] = i % 7 end while true do pcall(table.sort, t, rawequal) end
