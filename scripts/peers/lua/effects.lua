-- A scheduler of coroutines in plain Lua: functions that wait once, and functions that sleep.
--
--   lua5.4 effects.lua once N       a thousand at a time: seconds of processor time
--   lua5.4 effects.lua sleeping N   all at the same time: growth of the process in bytes
local what, count = arg[1], tonumber(arg[2])
local batch = 1000

-- The sleeping coroutines: a binary heap by deadline and order.
local heap, size, order = {}, 0, 0

local function comes_before(a, b)
  return a.at < b.at or a.at == b.at and a.order < b.order
end

local function push(task)
  size = size + 1
  local i = size
  while i > 1 do
    local up = i // 2
    if not comes_before(task, heap[up]) then break end
    heap[i], i = heap[up], up
  end
  heap[i] = task
end

local function pop()
  local first, last = heap[1], heap[size]
  heap[size], size = nil, size - 1
  if size == 0 then return first end
  local i = 1
  while 2 * i <= size do
    local down = 2 * i
    if down < size and comes_before(heap[down + 1], heap[down]) then down = down + 1 end
    if not comes_before(heap[down], last) then break end
    heap[i], i = heap[down], down
  end
  heap[i] = last
  return first
end

local now = 0

local function go_on(co, ...)
  local done, seconds = coroutine.resume(co, ...)
  assert(done, seconds)
  if coroutine.status(co) == "dead" then return end
  order = order + 1
  push { at = now + seconds, order = order, co = co }
end

local effects = {
  once = function() coroutine.yield(0) end,
  sleeping = function() coroutine.yield(1000) end,
}

local function start(effect, payload) go_on(coroutine.create(effect), payload) end

local function resident()
  local file = assert(io.open "/proc/self/statm")
  local pages = file:read("a"):match "^%d+ (%d+)"
  file:close()
  return tonumber(pages) * 4096
end

collectgarbage()
local bytes, begun = resident(), os.clock()
if what == "once" then
  for _ = 1, count // batch do
    for i = 1, batch do start(effects.once, i) end
    while size > 0 do go_on(pop().co) end
  end
else
  for i = 1, count do start(effects.sleeping, i) end
end
local seconds = os.clock() - begun
collectgarbage()
print(('{"peer":"lua","workload":"%s","n":%d,"cpu_s":%f,"bytes":%d,"running":%d}'):format(
  what, count, seconds, resident() - bytes, size))
