-- expect: timeout
-- Recursion between two functions.
local a, b function a() return b() end function b() return a() end a()
