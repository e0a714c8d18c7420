-- Requests whose stages become actions: `self.handle`, and the key `api` of modules. Loaded on
-- first use; returns a function that builds both from the host's functions.
local type, error, pcall, pairs, tostring = type, error, pcall, pairs, tostring
local setmetatable = setmetatable
local format, gsub, length = string.format, string.gsub, utf8.len

-- The kinds of value that the parts of a request may be.
local stage = { string = true, table = true, ["function"] = true }
local mapping = { ["function"] = true }
local parts_known = {
  request = mapping, loading = stage, success = stage, failure = stage, map_success = mapping,
  map_failure = mapping,
}

-- The error of a request that isn't made.
local Refusal = { __name = "service error" }
function Refusal.__tostring(refusal) return refusal.message end
function Refusal.__concat(left, right) return tostring(left) .. tostring(right) end

local function check(parts)
  if type(parts) ~= "table" then
    error("self.handle takes a table with request, loading, success and failure, not a "
      .. type(parts), 3)
  end
  for name, value in pairs(parts) do
    local kinds = parts_known[name]
    if not kinds then
      error(format("self.handle knows no '%s', only request, loading, success, failure, "
        .. "map_success and map_failure", tostring(name)), 3)
    elseif not kinds[type(value)] then
      error(format("self.handle takes %s under %s, not a %s",
        kinds == mapping and "a function" or "an action, a list of actions or a function", name,
        type(value)), 3)
    end
  end
  if not parts.request then error("self.handle takes a function under request", 3) end
end

-- The payload of the action for an error: `{ message, code }`.
local function told(failure)
  local text, code
  if type(failure) == "table" then
    local reason, message = failure.reason, failure.message
    text = type(reason) == "string" and reason or type(message) == "string" and message
    code = failure.code
  end
  text = text or tostring(failure)
  return {
    message = length(text) and text or (gsub(text, "[\128-\255]", "?")),
    code = type(code) == "string" and code or nil,
  }
end

return function(native, host, self, dispatch, settle)
  local call = native.call
  local made = {}

  -- Dispatches the action of a stage: a type gets the value as its payload, a function makes what
  -- is dispatched, and anything else is dispatched as it is.
  local function tell(part, value, payload)
    if type(part) == "string" then
      call(host.dispatch, part, value)
    elseif type(part) == "function" then
      dispatch { part(value, payload) }
    elseif part then
      dispatch { part }
    end
  end

  local function results(request) return settle(request()) end

  -- Returns whether the request has succeeded, and the mapped value or the error.
  local function ask(parts, request, payload)
    local reason = call(host.requestRefusal)
    if reason then
      return nil, setmetatable(
        { code = "switched_off", reason = reason, message = reason }, Refusal)
    end
    if type(parts.loading) == "function" then
      tell(parts.loading, payload)
    else
      tell(parts.loading)
    end
    local done, value = pcall(results, request)
    if done and parts.map_success then return pcall(parts.map_success, value, payload) end
    return done, value
  end

  local function perform(parts, request, payload)
    local done, value = ask(parts, request, payload)
    if done then
      if not parts.failure then
        tell(parts.success, value, payload)
        return true
      end
      -- What can't be dispatched as the success is a failure.
      local is_told, problem = pcall(tell, parts.success, value, payload)
      if is_told then return true end
      value = problem
    end
    if not parts.failure then
      -- A request that isn't made is no fault of the module.
      if done == nil then return false end
      error(value, 0)
    end
    local failure
    if parts.map_failure then
      failure = parts.map_failure(value, payload)
    elseif type(parts.failure) == "function" then
      failure = value
    else
      failure = told(value)
    end
    tell(parts.failure, failure, payload)
    return false
  end

  function made.handle(parts)
    check(parts)
    return perform(parts, parts.request)
  end

  function made.request(f, payload, action, loading, success, failure, map_success, map_failure)
    perform({
      loading = loading, success = success, failure = failure, map_success = map_success,
      map_failure = map_failure,
    }, function() return f(payload, self, action) end, payload)
  end

  return made
end
