-- The cost of a router written by a script: nested tables, in which a literal precedes a parameter,
-- which precedes a wildcard. Like Moonwire, it returns the route and a table of parameters.
--
--   trie.lua FILE SECONDS      one line of JSON

local path, seconds = arg[1], tonumber(arg[2])
if not seconds then
  print("usage: trie.lua FILE SECONDS")
  os.exit(64)
end

-- Keys that no component of a path can equal.
local PARAMETER, WILDCARD, ROUTE = 1, 2, 3

local function add(root, pattern, index)
  local node, names = root, {}
  for part in pattern:gmatch("[^/]+") do
    local key = part
    local first = part:sub(1, 1)
    if first == ":" or first == "*" then
      names[#names + 1] = part:sub(2)
      key = first == ":" and PARAMETER or WILDCARD
    end
    local child = node[key]
    if not child then
      child = {}
      node[key] = child
    end
    node = child
  end
  node[ROUTE] = { index = index, names = names }
end

-- `captures` holds `count` texts that lead to `node`; `start` is where the next component begins.
local function find(node, url, start, captures, count)
  local slash = url:find("/", start, true)
  local part = url:sub(start, slash and slash - 1)
  local literal = node[part]
  if literal then
    local route = literal[ROUTE]
    if slash then route = find(literal, url, slash + 1, captures, count) end
    if route then return route end
  end
  local parameter = node[PARAMETER]
  if parameter and part ~= "" then
    captures[count + 1] = part
    local route = parameter[ROUTE]
    if slash then route = find(parameter, url, slash + 1, captures, count + 1) end
    if route then return route end
  end
  local wildcard = node[WILDCARD]
  if wildcard then
    captures[count + 1] = url:sub(start)
    return wildcard[ROUTE]
  end
end

local function match(root, url)
  local captures = {}
  local route = find(root, url, 2, captures, 0)
  if not route then return -1 end
  local parameters = {}
  for place, name in ipairs(route.names) do parameters[name] = captures[place] end
  return route.index, parameters
end

local function isRight(root, visit)
  local index, parameters = match(root, visit.url)
  if index ~= visit.route then return false end
  for name, value in visit.parameters:gmatch("([^=&]+)=([^&]*)") do
    if parameters[name] ~= value then return false end
  end
  return true
end

local patterns, visits = {}, {}
for line in io.lines(path) do
  local kind, first, second, third = line:match("^(%a)\t([^\t]*)\t([^\t]*)\t?(.*)$")
  if kind == "P" then
    patterns[#patterns + 1] = second
  else
    visits[#visits + 1] = { url = first, route = math.tointeger(second), parameters = third }
  end
end

collectgarbage()
local memory, start = collectgarbage("count"), os.clock()
local root = {}
for place, pattern in ipairs(patterns) do add(root, pattern, place - 1) end
local build = os.clock() - start
collectgarbage()
memory = collectgarbage("count") - memory

local wrong = 0
for _, visit in ipairs(visits) do
  if not isRight(root, visit) then wrong = wrong + 1 end
end

local matched, used = 0, 0
start = os.clock()
while used < seconds do
  for _, visit in ipairs(visits) do match(root, visit.url) end
  matched = matched + #visits
  used = os.clock() - start
end
print(('{"peer":"trie in Lua","build_ms":%.2f,"ns_match":%.2f,"rss_kb":%d,"wrong":%d,"rejected":0}')
  :format(build * 1e3, used / matched * 1e9, memory // 1, wrong))
