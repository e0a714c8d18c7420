-- The services under `moon`. Loaded when the first one is used; returns a function that builds
-- services from the host's functions.
local setmetatable, rawget, type, error, tostring = setmetatable, rawget, type, error, tostring
local pcall, pairs, require = pcall, pairs, require
local getmetatable, next, select = getmetatable, next, select
local format = string.format

-- The key of a handle's private fields.
local mark = {}

-- The error of a service.
local Failure = { __name = "service error" }
function Failure.__tostring(failure) return failure.message end
function Failure.__concat(left, right) return tostring(left) .. tostring(right) end

return function(native, host)
  local call, wait, where = native.call, native.wait, native.where

  -- Raises an error in a reducer, at the line that called the service.
  local function refuse_in_pure(path)
    local allowed, message = pcall(native.refuse_in_pure, "moon." .. path)
    if not allowed then error(where() .. message, 0) end
  end

  -- Returns the results of a call, or raises its failure.
  local function finish(path, done, ...)
    if done then return ... end
    local code, reason = ...
    error(setmetatable({
      service = path, code = code, reason = reason, message = where() .. reason,
    }, Failure), 0)
  end

  local function fail(path, code, reason)
    finish(path, false, code, "moon." .. path .. ": " .. reason)
  end
  -- Arguments that can't be passed to the host are failures, too.
  native.refusal(fail)

  local function inside(value) return type(value) == "table" and rawget(value, mark) or nil end

  -- Makes the methods of a kind of handle; `waiting` holds those that the task waits for.
  local function class(service, name, methods)
    local Handle = { __name = name, __metatable = false }
    Handle.__index = Handle

    local function own_of(value, method)
      local own = inside(value)
      if own then return own end
      error(format("%s%s is a method: write %s:%s(…)", where(), method, name, method), 0)
    end

    for method, kind in pairs(methods) do
      local path = format("%s.%s:%s", service, name, method)
      local enter = kind == "asynchronous" and wait or call
      Handle[method] = function(handle, ...)
        local own = own_of(handle, method)
        refuse_in_pure(path)
        return finish(path, enter(host.service, path, own.id, ...))
      end
    end

    --- Closes the handle; does nothing if it is closed.
    function Handle.close(handle)
      call(host.closeHandle, own_of(handle, "close").id)
    end
    Handle.__close = Handle.close

    local next_value = Handle.next
    if next_value then Handle.__call = function(handle) return next_value(handle) end end
    return Handle
  end

  -- Returns the arguments of a call. A table with both elements and names becomes two:
  -- `{ "git", "status", timeout = 10 }` passes the list and the options.
  local function spread(first, ...)
    if type(first) ~= "table" or getmetatable(first) ~= nil or rawget(first, 1) == nil
      or select("#", ...) > 0
    then
      return first, ...
    end
    local list, names = {}, {}
    for key, value in next, first do
      if type(key) == "string" then names[key] = value else list[key] = value end
    end
    if next(names) == nil then return first end
    return list, names
  end

  local function as_passed(...) return ... end

  -- Makes the table that modules see from the functions in Swift and the service's script.
  local function scripted(service, made)
    return require("moonwire.service." .. service)(made, fail)
  end

  --- Makes the table of a service from the kinds of its functions and the methods of its handles.
  --- A table given to a `simple` function, which takes one argument, is passed whole.
  return function(service, functions, handles, is_scripted, simple)
    local made, classes = {}, {}
    for name, methods in pairs(handles) do classes[name] = class(service, name, methods) end

    local function open(path, ...)
      local id, name = finish(path, ...)
      local handle = setmetatable({ [mark] = { id = id } }, classes[name])
      -- `for … in` calls the first value, and closes the last one at its end.
      return handle, nil, nil, handle
    end

    for name, kind in pairs(functions) do
      local path = service .. "." .. name
      local spread = simple[name] and as_passed or spread
      if kind == "pure" then
        made[name] = function(...) return finish(path, call(host.service, path, spread(...))) end
      elseif kind == "immediate" then
        made[name] = function(...)
          refuse_in_pure(path)
          return finish(path, call(host.service, path, spread(...)))
        end
      elseif kind == "asynchronous" then
        made[name] = function(...)
          refuse_in_pure(path)
          return finish(path, wait(host.service, path, spread(...)))
        end
      else
        made[name] = function(...)
          refuse_in_pure(path)
          return open(path, wait(host.service, path, spread(...)))
        end
      end
    end
    return is_scripted and scripted(service, made) or made
  end
end
