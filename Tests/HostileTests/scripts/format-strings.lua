-- expect: memory
-- Two hundred long strings in one.
local s = ("x"):rep(1 << 20) local t = {} for i = 1, 200 do t[i] = s end return #(("%s"):rep(200)):format(table.unpack(t))
