-- expect: refused, in: effect
-- Ids of other tasks or of none have no effect.
local task = moon.spawn(function() moon.sleep(60) end)
for key, own in pairs(task) do
  for _, id in ipairs { -1, 0, 1 << 40, math.mininteger, "x", {}, 1.5 } do
    own.id = id
    assert(select(2, pcall(task.cancel, task)) ~= true)
  end
end
self.dispatch("go3")
