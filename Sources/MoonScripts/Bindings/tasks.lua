-- The part of `moon` for effects: tasks, waits, timers and results. Loaded on first use; returns a
-- function that builds the part from the host's functions. It returns the words of `moon`, and the
-- functions that moonwire.lua needs.
local setmetatable, rawget, type, error = setmetatable, rawget, type, error
local pcall, pairs, next, select, require = pcall, pairs, next, select, require
local getmetatable, tostring = getmetatable, tostring
local format, pack, unpack, math_type = string.format, table.pack, table.unpack, math.type

-- The maximum depth of nested lists and functions in a result.
local depth_max = 32

-- The maximum duration of a wait, in seconds.
local seconds_max = 1000000000

-- The key of a task's private fields.
local mark = {}

-- The key of a deferred source's function.
local source_mark = {}

local Timer = { __name = "timer", __metatable = false }
Timer.__index = Timer

local Deferred = { __name = "deferred source", __metatable = false }

local Task = { __name = "task", __metatable = false }
Task.__index = Task

-- The error of a command that a durable effect had called when its program ended.
local CutOff = { __name = "command error" }
function CutOff.__tostring(failure) return failure.message end
function CutOff.__concat(left, right) return tostring(left) .. tostring(right) end

local function check_seconds(value, what)
  if type(value) ~= "number" or not (value >= 0 and value <= seconds_max) then
    error(format("%s takes a number of seconds from 0 to %d", what, seconds_max), 3)
  end
end

local function check_text(value, what)
  if type(value) ~= "string" then error(format("%s, not a %s", what, type(value)), 3) end
end

local function inside(value) return type(value) == "table" and rawget(value, mark) or nil end

return function(native, host, self, refuse)
  local call, wait, begin, drop = native.call, native.wait, native.begin, native.drop
  local made = {}
  -- The functions that `self` and the host need of this part.
  local of_self = {}

  -- The private fields of a task. Closing them keeps the error value that ended the task.
  local Own = {
    __close = function(own, failure) own.failure, own.has_ended = failure, true end,
  }

  -- Returns the results of a function; a task that is the first of them is awaited, and its results
  -- are returned instead.
  local function settle(first, ...)
    if type(first) ~= "table" or getmetatable(rawget(first, mark)) ~= Own then return first, ... end
    return settle(first:await())
  end

  local function spawn(f)
    local own = setmetatable({}, Own)
    local run = begin(function()
      local _ <close> = own
      own.results = pack(settle(f()))
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
    local failure = own.failure
    local has_failed = status == "failed" or status == "refused"
    -- The error of a task that has ended by one is passed on as it is, even if it is nil.
    if has_failed and not own.has_ended then failure = message end
    if has_failed or (failure ~= nil and status ~= "cancelled") then error(failure, 0) end
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

  --- Dispatches an action, or a list of them as one, and waits for its outcome.
  function of_self.dispatch_and_wait(action, payload, ...)
    native.refuse_in_pure("waiting")
    return wait(host.outcome, action, payload, ...)
  end

  --- Makes the screen of a URL with its body, without showing it.
  function of_self.screen(url, params)
    check_text(url, "self.screen takes a URL")
    return wait(host.screen, url, params)
  end

  --- Calls a command and returns its answer, or raises its error.
  function of_self.call(name, payload)
    check_text(name, "self.call takes the name of a command")
    native.refuse_in_pure("calling commands")
    local id = call(host.callCommand, name, payload)
    local _, status, message, raised = wait(host.await, "all", { id })
    if status == "finished" then return call(host.result) end
    if status == "failed" then error(raised or message, 0) end
    if status == "refused" then refuse(message, raised) end
    if status == "cut_off" then
      error(setmetatable({
        command = name, code = status, reason = message, message = native.where() .. message,
      }, CutOff), 0)
    end
    error(format("the command %s was cancelled, or its module was reloaded or suspended", name), 2)
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

  --- Ends a durable effect and begins it anew, with another payload and a short journal.
  function made.continue(payload)
    native.refuse_in_pure("beginning anew")
    wait(host.beginAnew, payload)
  end

  -- Timers

  function Timer:cancel()
    local own = inside(self)
    if not own then error("cancel is a method: write timer:cancel()", 2) end
    return call(host.cancel, own.id)
  end

  local function timer(repeats, seconds, action, payload)
    local id = call(host.timer, repeats, seconds, action, payload)
    return setmetatable({ [mark] = { id = id } }, Timer)
  end

  local function after(seconds, action, payload)
    check_seconds(seconds, "self.after")
    return timer(false, seconds, action, payload)
  end

  local function every(seconds, action, payload)
    check_seconds(seconds, "self.every")
    return timer(true, seconds, action, payload)
  end

  -- Results

  --- Makes a source of actions, which an effect returns. The function gets `emit`, and may return a
  --- function that is called when the source ends.
  function made.defer(f)
    if type(f) ~= "function" then
      error("moon.defer takes a function, not a " .. type(f), 2)
    end
    return setmetatable({ [source_mark] = f }, Deferred)
  end

  local collect

  local function collect_all(found, depth, ...)
    for i = 1, select("#", ...) do collect((select(i, ...)), found, depth) end
  end

  -- Adds the actions and sources in a value to `found`: in lists at any depth, and in what
  -- functions return.
  function collect(value, found, depth)
    local kind = type(value)
    if value == nil or kind == "boolean" then return end
    if depth > depth_max then
      error(format("results are nested deeper than %d lists and functions", depth_max), 0)
    end
    if kind == "function" then
      return collect_all(found, depth + 1, settle(value(self.state(), self)))
    end
    if kind ~= "table" then
      found[#found + 1] = value
      return
    end
    local source = rawget(value, source_mark)
    if source then
      found.sources[#found.sources + 1] = source
    elseif math_type(next(value)) == "integer" then
      for _, part in pairs(value) do collect(part, found, depth + 1) end
    elseif next(value) ~= nil then
      found[#found + 1] = value
    end
  end

  -- Dispatches the actions and URLs in values; returns the sources in them.
  local function send(...)
    local found = { sources = {} }
    collect_all(found, 0, ...)
    local sources = found.sources
    found.sources = nil
    if #found > 0 then call(host.emit, found) end
    return sources
  end

  local run_source

  local function spawn_all(sources)
    for _, source in pairs(sources) do
      spawn(function() run_source(source) end)
    end
  end

  function run_source(source)
    local is_open, cancel = true, nil
    local ending <close> = setmetatable({}, {
      __close = function()
        is_open = false
        if cancel then cancel() end
      end,
    })
    local result = source(function(...)
      if is_open then spawn_all(send(...)) end
      return is_open
    end)
    if result == nil then return end
    if type(result) ~= "function" then
      error(format("the function of moon.defer returns a function or nothing, not a %s",
        type(result)), 0)
    end
    cancel = result
    wait(host.rest)
  end

  -- Dispatches what an effect has returned, and runs its sources.
  local function finish(...)
    local sources = send(settle(...))
    if #sources == 1 then
      run_source(sources[1])
    elseif #sources > 1 then
      local runs = {}
      for i, source in pairs(sources) do runs[i] = function() run_source(source) end end
      made.all(runs)
    end
  end

  -- Dispatches what a function returns, or the actions in a list.
  local function dispatch(f) spawn_all(send(f)) end

  of_self.finish, of_self.dispatch, of_self.settle = finish, dispatch, settle
  local api

  -- The part for requests; loaded on first use.
  local function requests()
    api = api or require "moonwire.api"(native, host, self, dispatch, settle)
    return api
  end

  --- Makes a request, with an action for each of its stages.
  function of_self.handle(parts)
    native.refuse_in_pure("requests")
    return requests().handle(parts)
  end

  --- Carries out an entry of the key `api`.
  function of_self.request(...) requests().request(...) end

  of_self.after, of_self.every = after, every
  return made, of_self
end
