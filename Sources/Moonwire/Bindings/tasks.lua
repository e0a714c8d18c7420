-- The part of `moon` for effects: tasks and waits. Loaded on first use; returns a function that
-- builds the part from the host's functions.
local setmetatable, rawget, type, error = setmetatable, rawget, type, error
local pcall, pairs = pcall, pairs
local format, pack, unpack = string.format, table.pack, table.unpack

-- The maximum duration of a wait, in seconds.
local seconds_max = 1000000000

-- The key of a task's private fields.
local mark = {}

local Task = { __name = "task", __metatable = false }
Task.__index = Task

local function check_seconds(value, what)
  if type(value) ~= "number" or not (value >= 0 and value <= seconds_max) then
    error(format("%s takes a number of seconds from 0 to %d", what, seconds_max), 3)
  end
end

local function check_text(value, what)
  if type(value) ~= "string" then error(format("%s, not a %s", what, type(value)), 3) end
end

local function inside(value) return type(value) == "table" and rawget(value, mark) or nil end

return function(native, host)
  local call, wait, begin, drop = native.call, native.wait, native.begin, native.drop
  local made = {}

  -- The private fields of a task. Closing them keeps the error value that ended the task.
  local Own = { __close = function(own, failure) own.failure = failure end }

  local function spawn(f)
    local own = setmetatable({}, Own)
    local run = begin(function()
      local _ <close> = own
      own.results = pack(f())
    end)
    local done, id = pcall(call, host.spawn, run)
    if not done then
      drop(run)
      error(id, 0)
    end
    own.id = id
    return setmetatable({ [mark] = own }, Task)
  end

  -- Returns the results of a task that has ended, or raises the error that ended it.
  local function results(own, status, message)
    if own.results then return unpack(own.results, 1, own.results.n) end
    if status == "failed" then error(type(own.failure) == "table" and own.failure or message, 0) end
    error("the task was cancelled", 3)
  end

  --- Waits for a number of seconds.
  function made.sleep(seconds)
    check_seconds(seconds, "moon.sleep")
    wait(host.sleep, seconds)
  end

  --- Starts a task that calls a function, and returns the task.
  function made.spawn(f)
    if type(f) ~= "function" then
      error("moon.spawn takes a function, not a " .. type(f), 2)
    end
    native.refuse_in_pure("spawning tasks")
    return spawn(f)
  end

  --- Waits until the task has ended; returns the results of its function, or raises its error.
  function Task:await()
    local own = inside(self)
    if not own then error("await is a method: write task:await()", 2) end
    if own.results then return results(own) end
    local _, status, message = wait(host.await, "all", { own.id })
    return results(own, status, message)
  end

  --- Cancels the task; returns false if it has already ended.
  function Task:cancel()
    local own = inside(self)
    if not own then error("cancel is a method: write task:cancel()", 2) end
    return call(host.cancel, own.id)
  end

  -- Returns the tasks for a table of functions and tasks, with their keys and ids.
  local function tasks_of(parts, what)
    if type(parts) ~= "table" then
      error(format("moon.%s takes a table of functions and tasks, not a %s", what, type(parts)), 3)
    end
    local all = { keys = {}, ids = {}, own = {}, begun = {} }
    for key, part in pairs(parts) do
      local n = #all.ids + 1
      local own = inside(part)
      if not own then
        if type(part) ~= "function" then
          error(format("moon.%s takes functions and tasks, not a %s", what, type(part)), 3)
        end
        local done, task = pcall(spawn, part)
        if not done then
          for _, id in pairs(all.begun) do call(host.cancel, id) end
          error(task, 0)
        end
        own = inside(task)
        all.begun[n] = own.id
      end
      all.keys[n], all.ids[n], all.own[n] = key, own.id, own
    end
    return all
  end

  local function cancel_begun(all)
    for _, id in pairs(all.begun) do call(host.cancel, id) end
  end

  --- Waits until all of several functions and tasks have finished; returns their first results by
  --- key.
  ---
  --- If one fails, cancels the other functions and raises its error.
  function made.all(parts)
    native.refuse_in_pure("waiting")
    local all = tasks_of(parts, "all")
    local found = {}
    if #all.ids == 0 then return found end
    local n, status, message = wait(host.await, "all", all.ids)
    if status ~= "finished" then
      cancel_begun(all)
      results(all.own[n], status, message)
    end
    for i, key in pairs(all.keys) do found[key] = all.own[i].results and all.own[i].results[1] end
    return found
  end

  --- Waits until the first of several functions and tasks has ended; returns its key and its
  --- results.
  ---
  --- Cancels the other functions.
  function made.race(parts)
    native.refuse_in_pure("waiting")
    local all = tasks_of(parts, "race")
    if #all.ids == 0 then error("moon.race takes one function or task at least", 2) end
    local n, status, message = wait(host.await, "any", all.ids)
    cancel_begun(all)
    return all.keys[n], results(all.own[n], status, message)
  end

  --- Calls a function and returns its results. If it takes longer than the given number of seconds,
  --- cancels it and raises an error.
  function made.timeout(seconds, f)
    check_seconds(seconds, "moon.timeout")
    if type(f) ~= "function" then
      error("moon.timeout takes a number of seconds and a function, not a " .. type(f), 2)
    end
    native.refuse_in_pure("waiting")
    local own = inside(spawn(f))
    local _, status, message = wait(host.await, "all", { own.id }, seconds)
    if status == "timeout" then
      call(host.cancel, own.id)
      error(format("timed out after %g s", seconds), 2)
    end
    return results(own, status, message)
  end

  --- Waits for the next action of a type, or of a family such as `auth/*`, and returns it.
  function made.take(pattern)
    check_text(pattern, "moon.take takes the type of an action")
    return wait(host.take, pattern)
  end

  --- Waits until a part of the state satisfies a condition, and returns the part. Without a
  --- function, the part must be true.
  function made.when(path, is_right)
    check_text(path, "moon.when takes a path into the state")
    if is_right ~= nil and type(is_right) ~= "function" then
      error("moon.when takes a path and a function, not a " .. type(is_right), 2)
    end
    native.refuse_in_pure("waiting")
    while true do
      local value = call(host.state, path)
      local found = value
      if is_right then found = is_right(value) end
      if found then return value end
      wait(host.change, path)
    end
  end

  return made
end
