-- expect: error
-- Naming what is nil goes back through all fields.
local f = assert(load("local x = ... return x" .. (".a"):rep(30000) .. ".b.c")) local t = {} t.a = t f(t)
