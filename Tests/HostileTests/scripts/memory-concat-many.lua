-- expect: memory
-- Two hundred strings at once.
local s = ("x"):rep(8 << 20) local t = load("local s = ... return " .. ("s .. "):rep(150) .. "s") return #t(s)
