-- expect: error
-- What the operator # is made of, in the hands of a script.
assert(("\1x") ^ { 1, 2 } == 2 and not pcall(load, "return #" .. ("#"):rep(100000) .. "''"))
local t = {}
return ("\1" .. ("n"):rep(100000)) ^ t.missing
