-- expect: error or timeout
-- Form feeds are space: what is nil is named by going back through all the fields.
local a = {}
a.a = a
assert(load("local a = ... return a" .. ("\f.a"):rep(80000) .. "\f.b\f.c"))(a)
