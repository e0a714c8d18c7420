-- expect: refused, in: service
local text = ("x"):rep(100000)
local code
for i = 1, 100 do
  code = code_of(moon.storage.set, "k" .. i, text)
  if code ~= "done" then break end
end
assert(code == "quota", code)
expect("quota", moon.storage.transaction, function(t) t:set("more", text) end)
local usage = moon.storage.usage()
assert(usage.bytes <= usage.bytes_max)
assert(moon.storage.get "k1" == text)
hold()
