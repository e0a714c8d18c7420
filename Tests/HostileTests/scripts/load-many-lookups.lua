-- expect: timeout
-- The compiler looks each global up among the locals of all functions around: billions of steps.
local parts = {}
for i = 1, 95 do parts[i] = "local " .. ("a,"):rep(189) .. "a\nlocal function f()\n" end
parts[#parts + 1] = ("x=x\n"):rep(50000)
parts[#parts + 1] = ("end\n"):rep(95)
assert(load(table.concat(parts)))
