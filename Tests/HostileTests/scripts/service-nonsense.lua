-- expect: refused, in: service
local services = { "base64", "crypto", "entities", "env", "files", "hex", "http", "json", "processes",
  "storage", "time", "uri" }
local values = { n = 8, nil, -1, 0 / 0, "\xff\0", {}, print, setmetatable({}, { __index = error,
  __pairs = error }), coroutine.running() }
for _, service in ipairs(services) do
  for name, f in pairs(moon[service]) do
    for i = 1, values.n do
      for k = 1, values.n do pcall(f, values[i], values[k]) end
    end
  end
end
hold()
