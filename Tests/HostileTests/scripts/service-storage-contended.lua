-- expect: survives, in: service
-- A hundred transactions that all change one key.
local all = {}
for i = 1, 100 do
  all[i] = function()
    return pcall(moon.storage.transaction, function(t) t:set("n", (t:get "n" or 0) + 1) end)
  end
end
local count = 0
for _, done in pairs(moon.all(all)) do if done then count = count + 1 end end
assert(moon.storage.get "n" == count)
