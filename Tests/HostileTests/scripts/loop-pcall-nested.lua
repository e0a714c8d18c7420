-- expect: timeout
-- Many pcalls, one in the other.
local function f(n) if n == 0 then while true do end end while true do pcall(f, n - 1) end end f(50)
