-- expect: survives
-- A list that changes while it is sorted.
local t = {} for i = 1, 500 do t[i] = i end table.sort(t, function(a, b) t[#t + 1] = 1 t[1] = nil return a > b end)
