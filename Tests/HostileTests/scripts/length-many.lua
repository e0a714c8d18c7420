-- expect: timeout
-- The longest search for a border, again and again.
local t = {}
for i = 1, 70000 do t[i] = i end
while true do local n = #t + select("#", rawlen(t)) end
