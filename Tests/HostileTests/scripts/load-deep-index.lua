-- expect: error
-- The same with brackets.
local f = assert(load("local x = ... return x" .. ("[1]"):rep(30000) .. "[2][3]")) local t = {} t[1] = t f(t)
