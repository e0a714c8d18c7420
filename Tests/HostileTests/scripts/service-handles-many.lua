-- expect: refused, in: service
local kept = {}
local code
for i = 1, 1000 do
  code = code_of(function() kept[i] = moon.http.open(base .. "/stalled", { timeout = 1 }) end)
  if code ~= "done" then break end
end
assert(code == "too_many_handles" or code == "timed_out", code)
hold()
