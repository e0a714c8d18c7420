-- expect: refused, in: service
expect("answer_too_large", moon.http.get, base .. "/endless")
expect("answer_too_large", moon.http.get, base .. "/endless", { max_bytes = 1 << 50 })
expect("answer_too_large", function()
  for part in moon.http.open(base .. "/endless", { max_bytes = 4 << 20 }) do end
end)
hold()
