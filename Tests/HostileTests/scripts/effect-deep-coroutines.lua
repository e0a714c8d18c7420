-- expect: error, in: effect
-- A wait inside more nested coroutines than Lua allows.
local function deeper(n) return coroutine.wrap(function()
  if n == 0 then moon.sleep(0.001) else deeper(n - 1)() end end) end
deeper(250)()
