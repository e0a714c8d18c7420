-- expect: error, in: service
-- A task that asks once more as it is cancelled, which can't wait.
local task = moon.spawn(function()
  local again <close> = setmetatable({}, { __close = function()
    moon.http.get(base .. "/text")
  end })
  moon.http.get(base .. "/silent")
end)
moon.sleep(0.05)
task:cancel()
moon.sleep(0.05)
