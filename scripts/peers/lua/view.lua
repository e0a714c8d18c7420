-- A view of texts in plain Lua: its table, built by constructors that check their arguments and
-- copy options, as those of `moon.ui` do. Nobody reads the table.
--
--   lua5.4 view.lua SIZE N   builds it N times: seconds of processor time
local size, count = tonumber(arg[1]), tonumber(arg[2])

local ui = {}

local function with(element, options)
  for name, value in pairs(options or {}) do element[name] = value end
  return element
end

function ui.text(text, options)
  if type(text) ~= "string" then error("ui.text takes a string", 2) end
  if options ~= nil and type(options) ~= "table" then error("ui.text takes a table", 2) end
  return with({ type = "TextBlock", text = text, wrap = true }, options)
end

local function page()
  local body = {}
  for i = 1, size do body[i] = ui.text("line " .. i) end
  return body
end

collectgarbage()
local built, begun = 0, os.clock()
for _ = 1, count do built = built + #page() end
local seconds = os.clock() - begun
assert(built == size * count)
print(('{"peer":"lua","workload":"view","n":%d,"cpu_s":%f}'):format(count, seconds))
