-- expect: survives, in: service
-- Two thousand requests at a time.
local all = {}
for i = 1, 2000 do
  all[i] = function() return moon.http.get(base .. "/text").text end
end
for _, text in pairs(moon.all(all)) do assert(text == "hello") end
