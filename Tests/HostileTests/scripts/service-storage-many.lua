-- expect: refused, in: service
local code = code_of(moon.storage.transaction, function(t)
  for i = 1, 10500 do t:set("k" .. i, i) end
end)
assert(code == "too_large" or code == "quota", code)
assert(moon.storage.usage().count == 0)
hold()
