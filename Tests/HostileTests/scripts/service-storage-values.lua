-- expect: refused, in: service
local cycle = {}
cycle.cycle = cycle
for _, value in ipairs { print, cycle, coroutine.create(print), { [1.5] = 1 }, "\xff" } do
  assert(code_of(moon.storage.set, "k", value) ~= "done")
end
expect("too_large", moon.storage.set, ("k"):rep(100000), 1)
assert(code_of(moon.storage.list, "", { limit = 1 << 40 }) ~= "done")
assert(moon.storage.get "k" == nil)
hold()
