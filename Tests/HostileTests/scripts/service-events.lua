-- expect: refused, in: service
expect("not_an_event_stream", function() for _ in moon.http.events(base .. "/text") do end end)
expect("connection_lost timed_out not_an_event_stream event_too_large", function()
  for _ in moon.http.events(base .. "/endless", { retries = 0 }) do end
end)
expect("not_a_websocket", moon.http.websocket, (base:gsub("http", "ws")) .. "/text")
hold()
