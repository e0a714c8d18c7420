-- expect: refused, in: service
local codes = {}
for i = 1, 40 do
  moon.spawn(function() codes[i] = code_of(moon.processes.run, { "sleep", "1000" }) end)
end
moon.sleep(0.5)
local count = 0
for _, code in pairs(codes) do if code == "too_many" then count = count + 1 end end
assert(count == 24, count)
hold()
-- rests
