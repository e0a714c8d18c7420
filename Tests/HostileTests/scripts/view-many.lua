-- expect: error, in: view
local all = {}
for i = 1, 20000 do all[i] = "x" end
return all
