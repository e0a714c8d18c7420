-- expect: refused, in: service
local kept = {}
local code
for i = 1, 2000 do
  code = code_of(function() kept[i] = moon.files.watch "data" end)
  if code ~= "done" then break end
end
assert(code ~= "done")
hold()
