-- expect: error or timeout, in: effect
-- Each handler spawns and cancels the next task.
local function chain(n)
  local task = moon.spawn(function()
    local c <close> = setmetatable({}, { __close = function() chain(n + 1) error("again") end })
    moon.sleep(60)
  end)
  moon.spawn(function() moon.sleep(0.001) task:cancel() end)
end
chain(1)
