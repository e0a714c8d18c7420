-- expect: refused, in: service
-- Other names for this machine than localhost and its addresses, none of them granted.
local port = base:match("%d+$")
for _, host in ipairs {
  "127.0.0.2", "127.1", "0x7f000001", "2130706433", "0177.0.0.1", "[::2]", "[::ffff:127.0.0.2]",
  "0.0.0.0", "[::]", "LOCALHOST.localdomain", "localhost.example.com", "ip6-localhost",
  "localhost@example.com", "example.com#@localhost", "localhost%00.example.com", "", "%6cocalhost.a",
} do
  expect("not_needed not_granted bad_url", moon.http.get, "http://" .. host .. ":" .. port .. "/text")
end
for _, url in ipairs {
  "file:///etc/passwd", "http:/" .. "/localhost:0/", "http://localhost:99999/", "localhost", "",
  "http://localhost:" .. port .. "/" .. ("x"):rep(100000),
} do expect("bad_url", moon.http.get, url) end
hold()
