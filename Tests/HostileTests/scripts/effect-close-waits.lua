-- expect: error, in: effect
local task = moon.spawn(function()
  local c <close> = setmetatable({}, { __close = function() moon.sleep(60) end })
  moon.sleep(60)
end)
moon.sleep(0.001)
task:cancel()
