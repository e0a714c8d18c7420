-- expect: memory
-- A function that calls itself.
local function f() return 1 + f() end f()
