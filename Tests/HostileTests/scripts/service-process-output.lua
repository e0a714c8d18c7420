-- expect: refused, in: service
expect("output_too_large", moon.processes.run, { "yes" })
expect("output_too_large", moon.processes.run, { "yes", max = 1000 })
expect("output_too_large", function()
  for line in moon.processes.lines { "sh", "-c", "tr '\\0' x < /dev/zero" } do end
end)
hold()
