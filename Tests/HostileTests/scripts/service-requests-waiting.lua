-- expect: survives, in: service
-- rests
-- Thousands of requests that are never answered.
for i = 1, 3000 do moon.spawn(function() moon.http.get(base .. "/silent") end) end
