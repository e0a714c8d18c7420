-- expect: refused, in: effect
for _, n in ipairs { -1, 0/0, 1/0, -1/0, 1e300, "1", {}, math.mininteger, math.maxinteger } do
  assert(not pcall(moon.sleep, n))
end
self.dispatch("go3")
