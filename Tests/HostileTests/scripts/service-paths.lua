-- expect: refused, in: service
local files = moon.files
for _, path in ipairs {
  "../secret/secret.txt", "data/../../secret/secret.txt", "data/out/secret.txt", "data/secret.txt",
  "data/up/hostile.lua", "hostile.lua", "/etc/passwd", "~/x", "data/a.txt\0", "", "/", ".", "..",
  "data/round", "data/" .. ("x/"):rep(5000), "data//..//..//x", "\xff",
} do
  assert(code_of(files.read, path) ~= "done", path)
  assert(code_of(files.write, path, "mine") ~= "done", path)
  assert(code_of(files.append, path, "mine") ~= "done", path)
end
for _, path in ipairs { "data/out", "data/up", ".", "/" } do
  assert(code_of(files.list, path) ~= "done", path)
  assert(code_of(files.remove, path, { recursive = true }) ~= "done" or path == "data/up"
    or path == "data/out", path)
  assert(code_of(files.watch, path) ~= "done", path)
end
expect("bad_path", files.rename, "data/a.txt", "../secret/b.txt")
expect("not_granted not_needed not_found", files.rename, "hostile.lua", "data/b.txt")
hold()
