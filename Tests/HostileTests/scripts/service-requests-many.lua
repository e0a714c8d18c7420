-- expect: survives, in: service
-- Two thousand requests at a time.
local all = {}
for i = 1, 2000 do
  all[i] = function()
    -- A slow machine accepts so many connections late.
    return moon.http.get(base .. "/text", { connect_timeout = 80, timeout = 80 }).text
  end
end
for _, text in pairs(moon.all(all)) do assert(text == "hello") end
