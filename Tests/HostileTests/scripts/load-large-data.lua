-- expect: survives
-- A large table of fields, and many statements, are no crime.
local t = {} for i = 1, 3000 do t[i] = "{ a = c.red.x, b = c.blue or c.green, [c.k] = f(c.a).b }," end assert(load("local c, f = {red = {}, k = 1}, function() return {} end local t = {" .. table.concat(t):sub(1, 60000):match("^(.*},)") .. "} c = t"))() for i = 1, 3000 do t[i] = "a = b or c.d.e f(a.b)\n" end assert(load(table.concat(t):sub(1, 230000)))
