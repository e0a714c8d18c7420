-- expect: memory, in: service
local kept = {}
for line in moon.processes.lines { "yes", ("x"):rep(1000) } do kept[#kept + 1] = line .. #kept end
