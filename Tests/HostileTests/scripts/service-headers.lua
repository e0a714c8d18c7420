-- expect: refused, in: service
-- Requests within requests.
expect("bad_header", moon.http.get, base .. "/text", { headers = { a = "x\r\nHost: evil" } })
expect("bad_header", moon.http.get, base .. "/text", { headers = { ["a\r\nb"] = "x" } })
expect("bad_header", moon.http.get, base .. "/text", { headers = { Host = "evil" } })
assert(code_of(moon.http.request, base .. "/text", { method = "GET / HTTP/1.1\r\n" }) ~= "done")
for _, path in ipairs { "/echo?a\r\nHost:%20evil", "/echo? HTTP/1.0\r\n\r\n" } do
  local done, answer = pcall(moon.http.get, base .. path)
  assert(not done or answer.json.uri:find "^/echo%S*$" and answer.json.headers.host ~= "evil",
    "a line was passed on")
end
hold()
