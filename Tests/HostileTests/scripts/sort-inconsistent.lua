-- expect: survives
-- A comparison that contradicts itself.
local t = {} for i = 1, 2000 do t[i] = i end table.sort(t, function() return true end)
