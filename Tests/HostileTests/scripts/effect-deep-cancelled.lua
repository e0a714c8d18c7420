-- expect: survives, in: effect
local function deeper(n) return coroutine.wrap(function()
  local c <close> = setmetatable({}, { __close = function() end })
  if n == 0 then moon.sleep(60) else deeper(n - 1)() end end) end
local task = moon.spawn(function() deeper(100)() end)
moon.sleep(0.001)
task:cancel()
