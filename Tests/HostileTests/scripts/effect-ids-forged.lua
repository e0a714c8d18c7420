-- expect: refused, in: effect
-- Numbers that aren't those of own tasks lead to nothing.
local task = moon.spawn(function() moon.sleep(60) end)
for key, own in pairs(task) do
  for _, id in ipairs { -1, 0, 1 << 40, math.mininteger, "x", {}, 1.5 } do
    own.id = id
    assert(select(2, pcall(task.cancel, task)) ~= true)
  end
end
self.dispatch("go3")
