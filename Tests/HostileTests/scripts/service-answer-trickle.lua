-- expect: refused, in: service
-- An answer that comes byte by byte, ones that stop, and one that never begins.
expect("timed_out", moon.http.get, base .. "/trickle?bytes=2000000000", { timeout = 0.3 })
expect("timed_out", moon.http.get, base .. "/stalled", { read_timeout = 0.2 })
expect("timed_out", moon.http.get, base .. "/silent", { timeout = 0.2 })
expect("connection_lost", moon.http.get, base .. "/cut")
expect("malformed_answer", moon.http.get, base .. "/garbage")
expect("not_json", moon.http.get, base .. "/text", { accept = "json" })
hold()
