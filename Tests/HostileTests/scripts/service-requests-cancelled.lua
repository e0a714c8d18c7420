-- expect: survives, in: service
for round = 1, 10 do
  local tasks = {}
  for i = 1, 100 do
    tasks[i] = moon.spawn(function() moon.http.get(base .. "/silent") end)
  end
  if round % 2 == 0 then moon.sleep(0.01) end
  for _, task in pairs(tasks) do task:cancel() end
end
