-- expect: refused, in: service
local port = base:match("%d+$")
for _, to in ipairs {
  "http://127.0.0.2:" .. port .. "/text", "http://127.1:" .. port .. "/text", "http://[::2]/",
  "http://169.254.169.254/latest/meta-data", "//example.com/x", "https://example.com/",
} do
  expect("redirect_refused", moon.http.get, base .. "/redirect", { query = { to = to } })
  expect("redirect_refused", moon.http.post, base .. "/redirect",
    { query = { to = to, code = 307 }, body = "mine" })
  expect("redirect_refused", moon.http.open, base .. "/redirect", { query = { to = to } })
end
for _, to in ipairs { "file:///etc/passwd", "gopher://localhost/", "http://", "http://a b/" } do
  local code = code_of(moon.http.get, base .. "/redirect", { query = { to = to } })
  assert(code ~= "done", to)
end
expect("too_many_redirects", moon.http.get, base .. "/round")
hold()
