-- expect: refused, in: service
assert(code_of(moon.json.decode, ("["):rep(1000000)) ~= "done")
assert(code_of(moon.json.decode, ('{"a":'):rep(100000)) ~= "done")
local cycle = {}
cycle.cycle = cycle
assert(code_of(moon.json.encode, cycle) ~= "done")
local deep = {}
for i = 1, 10000 do deep = { deep } end
assert(code_of(moon.json.encode, deep) ~= "done")
assert(code_of(moon.crypto.bytes, 1 << 50) ~= "done")
assert(code_of(moon.crypto.bytes, -1) ~= "done")
for _, seconds in ipairs { 1e300, -1e300, 1 / 0, 0 / 0, math.mininteger, math.maxinteger } do
  code_of(moon.time.utc, seconds)
  code_of(moon.time.format, seconds, "Europe/Paris")
  code_of(moon.time.parts, seconds, ("x"):rep(100000))
end
code_of(moon.uri.parse, "http://" .. (("["):rep(10000)))
code_of(moon.uri.decode, ("%"):rep(100000))
hold()
