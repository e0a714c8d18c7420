-- expect: refused, in: service
-- Transactions that nest, fail, and are kept for later.
local storage, kept = moon.storage
assert(code_of(storage.transaction, function(t)
  t:set("a", 1)
  storage.transaction(function(u) u:set("b", 1) end)
  error "no"
end) ~= "done")
assert(storage.get "a" == nil)
storage.transaction(function(t) kept = t end)
assert(code_of(function() kept:set("late", 1) end) ~= "done")
assert(storage.get "late" == nil)
assert(code_of(storage.transaction, function(t) t:set("x", 1) error(setmetatable({}, {
  __index = error })) end) ~= "done")
assert(storage.get "x" == nil)
hold()
