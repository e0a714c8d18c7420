-- expect: memory
-- A C function gives long replacements.
local s = ("y"):rep(1 << 20) return #(("x"):rep(10000):gsub("x", function() return s end))
