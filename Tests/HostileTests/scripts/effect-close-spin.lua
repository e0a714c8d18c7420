-- expect: timeout, in: effect
-- Its handler never returns after the task is cancelled.
local task = moon.spawn(function()
  local c <close> = setmetatable({}, { __close = function() while true do end end })
  moon.sleep(60)
end)
moon.sleep(0.001)
task:cancel()
