-- The table that `require "moonwire"` returns in a module. `native` calls the host, and `host`
-- holds the numbers of its functions.
local native, host = ...
local call, tostring, select, type, error = native.call, tostring, select, type, error
local pcall, pairs, ipairs, require = pcall, pairs, ipairs, require
local setmetatable = setmetatable
local rawget, rawset, getmetatable = rawget, rawset, getmetatable
local format = string.format
local length, gsub, concat, sub, find = utf8.len, string.gsub, table.concat, string.sub, string.find

local moon = {
  null = native.null,
  list = native.list,
  random = math.random,
  version = host.version,
}

-- Whether a table has a `__tostring` of its own.
local function custom_text(value)
  local meta = getmetatable(value)
  return type(meta) == "table" and meta.__tostring ~= nil
end

-- The key of the table that stands for a secret setting, or for a text with secrets in it.
local secret_key = "\0secret"

-- The maximum length of a log entry, in bytes.
local text_max = 64 * 1024

-- How much of a table is shown, in entries of it and of the tables in it, and in levels.
local entries_max, levels_max = 200, 8

local function key_text(key)
  if type(key) == "string" and find(key, "^[%a_][%w_]*$") then return key end
  return "[" .. (type(key) == "string" and format("%q", key) or tostring(key)) .. "]"
end

-- Names that JLRoutes and VISPER have for parts of a route, each with the name of that part here.
local inherited = {
  ["*"] = "wildcard", JLRouteWildcardComponents = "wildcard", JLRoutePattern = "pattern",
  RoutePattern = "pattern", JLRouteURL = "url", RouteURL = "url", JLRouteScheme = "url",
}

-- Whether an entry of a table repeats another one: a route has its parts under several names.
-- `outer` is the table that contains the table.
local function repeats(key, value, outer)
  local plain = inherited[key]
  if plain then return value[plain] ~= nil end
  return key == "wildcard" and outer ~= nil and outer[key] ~= nil and outer.params == value
end

-- A value as the prompt shows it: `{items = ["a"], n = 1}`. `left` counts the entries down.
local function shown(value, level, left, outer)
  local kind = type(value)
  if kind == "string" then return (gsub(format("%q", value), "\\\n", "\\n")) end
  if kind ~= "table" or custom_text(value) then return tostring(value) end
  -- A copy of a secret has no metatable.
  if rawget(value, secret_key) then return "(secret)" end
  if level > levels_max then return "…" end
  local parts, count, is_list = {}, 0, true
  for key, entry in pairs(value) do
    if not repeats(key, value, outer) then
      left.entries = left.entries - 1
      if left.entries < 0 then
        parts[#parts + 1] = "…"
        break
      end
      count = count + 1
      is_list = is_list and key == count
      local text = shown(entry, level + 1, left, value)
      parts[#parts + 1] = is_list and text or key_text(key) .. " = " .. text
    end
  end
  if is_list and count > 0 then return "[" .. concat(parts, ", ") .. "]" end
  return "{" .. concat(parts, ", ") .. "}"
end

-- Joins values into a text for the log. Bytes that aren't UTF-8 become "?".
local function text_of(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    local part = type(value) == "table" and shown(value, 1, { entries = entries_max })
      or tostring(value)
    parts[i] = length(part) and part or gsub(part, "[\128-\255]", "?")
  end
  local text = concat(parts, "\t")
  if #text > text_max then
    -- A cut within a character moves back to its beginning, by three bytes at most.
    local cut = text_max
    while not length(sub(text, 1, cut)) do cut = cut - 1 end
    text = sub(text, 1, cut) .. "…"
  end
  return text
end

native.shown(text_of)

function print(...)
  call(host.print, text_of(...))
end

moon.log = {}
for _, level in ipairs { "trace", "debug", "info", "notice", "warning", "error" } do
  moon.log[level] = function(...)
    call(host.log, level, text_of(...))
  end
end

-- The error of moon.refuse.
local Refused = { __name = "refusal" }
function Refused.__tostring(refusal) return refusal.reason end
function Refused.__concat(left, right) return tostring(left) .. tostring(right) end
native.refused(Refused)

local function refuse(reason, details)
  error(setmetatable({ reason = reason, message = reason, details = details }, Refused), 0)
end

--- Refuses the action, the URL or the command that the code is called for: it isn't carried out,
--- and who asked for it gets the reason.
function moon.refuse(reason, details)
  if type(reason) ~= "string" or reason == "" then
    error("moon.refuse takes a reason, a text that isn't empty", 2)
  end
  refuse(reason, details)
end

-- The actions that the module declares, for forms.
local declared

--- Marks the table of registrations that a module returns, and returns it.
function moon.module(registrations)
  if type(registrations) ~= "table" then
    error("moon.module takes a table of registrations, not a " .. type(registrations), 2)
  end
  declared = registrations.actions
  return registrations
end

--- A scope under `needs` that the module can do without, and what it is for.
function moon.optional(scope, reason)
  if type(scope) ~= "string" then
    error("moon.optional takes a scope, not a " .. type(scope), 2)
  end
  return { optional = scope, reason = reason }
end

-- The `self` that functions of a module get.
local self = {}

-- Raises an error if called in a reducer. The error names the line that called the function in this
-- file.
local function refuse_in_pure(what)
  local allowed, message = pcall(native.refuse_in_pure, what)
  if not allowed then error(message, 3) end
end

-- The part of `moon` for effects, with what the host and `self` need of it; loaded on first use.
local loaded_tasks
local function tasks()
  if not loaded_tasks then
    local words
    words, loaded_tasks = require "moonwire.tasks"(native, host, self, refuse)
    for key, word in pairs(words) do rawset(moon, key, word) end
  end
  return loaded_tasks
end

--- Appends an action to the session's queue, or a list of actions to be carried out as one. A type
--- without a slash is the module's own. A function is called with the state and `self`, and what it
--- returns is dispatched.
function self.dispatch(action, payload)
  refuse_in_pure("dispatching")
  if type(action) == "function" then return tasks().dispatch(action) end
  call(host.dispatch, action, payload)
end

--- Dispatches an action after a number of seconds. Returns a timer, which `timer:cancel()` ends.
function self.after(seconds, action, payload)
  refuse_in_pure("timers")
  return tasks().after(seconds, action, payload)
end

--- Dispatches an action each time that a number of seconds has passed. Returns a timer.
function self.every(seconds, action, payload)
  refuse_in_pure("timers")
  return tasks().every(seconds, action, payload)
end

--- A read-only view of the whole state, or of the part under a path.
function self.state(...)
  refuse_in_pure("looking at other modules' state")
  local path = ...
  if path == nil and select("#", ...) > 0 then
    error("self.state takes a path or no argument, not nil", 2)
  end
  return call(host.state, path)
end

--- Queues the routing of a URL.
function self.route(url, params, option)
  self.dispatch(moon.route(url, params, option))
end

--- Dispatches an action, or a list of actions as one, and waits until it has been carried out;
--- returns `{status = "done", changes}` or `{status = "failed", error}`. With `{effects = true}`,
--- waits for the effects that it has started, too.
function self.dispatch_and_wait(action, payload, options)
  if options ~= nil and (type(options) ~= "table" or type(options.effects) ~= "boolean") then
    error("self.dispatch_and_wait takes { effects = true } third, or nothing", 2)
  end
  return tasks().dispatch_and_wait(action, payload, options and options.effects or nil)
end

--- Routes a URL and waits until that is done; returns the outcome, with the screen shown.
function self.route_and_wait(url, params, option)
  return tasks().dispatch_and_wait(moon.route(url, params, option))
end

--- Makes the screen of a URL with its body, without showing it; returns nil and the reason if there
--- is none.
function self.screen(url, params)
  return tasks().screen(url, params)
end

--- Calls a command of a module, such as "cart/total", and returns its answer.
function self.call(name, payload) return tasks().call(name, payload) end

--- Makes a request in an effect, with an action for each of its stages: `loading` is dispatched
--- before `request` is called, then `success` with what it returns, or `failure` with its error.
--- Returns whether it has succeeded.
function self.handle(parts) return tasks().handle(parts) end

--- Whether the pattern of a route matches a URL.
function self.can_route(url)
  refuse_in_pure("asking for routes")
  if type(url) ~= "string" then error("self.can_route takes a URL, not a " .. type(url), 2) end
  return call(host.canRoute, url)
end

--- The screen on top of a window, by default the key window; nil if it shows none.
function self.top(window)
  refuse_in_pure("looking at screens")
  if window ~= nil and type(window) ~= "string" then
    error("self.top takes the id of a window", 2)
  end
  return call(host.top, window)
end

--- The columns and rows for a screen, in a view.
function self.size() return call(host.size) end

--- The first and the last row to draw of a list with that many rows, in a view.
function self.visible_rows(id, count) return call(host.visibleRows, id, count) end

--- Fills in an input of the module's screen, or clears it if the value is nil. Without a screen's
-- id, it is the screen on top if the module owns that, or else its last one.
function self.input(id, value, screen)
  refuse_in_pure("filling in inputs")
  if type(id) ~= "string" then error("self.input takes the id of an input first", 2) end
  if screen ~= nil and type(screen) ~= "string" then
    error("self.input takes the id of a screen third", 2)
  end
  call(host.input, id, value, screen)
end

--- The URL of the route with that name.
function moon.url(name, params)
  -- Not available in a reducer, since a replay may have other routes.
  refuse_in_pure("making URLs of routes")
  if type(name) ~= "string" then error("moon.url takes the name of a route", 2) end
  return call(host.url, name, params)
end

--- Whether the module may use a scope.
function moon.granted(scope)
  -- Not available in a reducer, since a replay may have other grants.
  refuse_in_pure("asking for grants")
  if type(scope) ~= "string" then error("moon.granted takes a scope", 2) end
  return call(host.granted, scope)
end

-- A secret setting, or a text with secrets in it. Only services see the text: here it prints as
-- "(secret)", and can't be compared or taken apart.
local Secret = { __name = "secret", __metatable = false }
function Secret.__tostring() return "(secret)" end

native.secret(Secret)

local function parts_of(value)
  -- Not of a table that looks like a secret: who made it could ask for any secret that way.
  if native.is_secret(value) then return rawget(value, secret_key) end
  return { { text = tostring(value) } }
end

function Secret.__concat(left, right)
  local all = {}
  for _, side in ipairs { parts_of(left), parts_of(right) } do
    for _, part in ipairs(side) do all[#all + 1] = part end
  end
  return setmetatable({ [secret_key] = all }, Secret)
end

--- `self.settings`: the values of the module's settings, as they are now. `self.task`: the number,
--- the key and the generation of the durable task that runs; nil in other code.
setmetatable(self, {
  __index = function(_, name)
    if name == "task" then return call(host.task) end
    if name ~= "settings" then return nil end
    refuse_in_pure("reading settings")
    local values, secrets = call(host.settings)
    for _, secret in ipairs(secrets) do
      values[secret] = setmetatable({ [secret_key] = { { name = secret } } }, Secret)
    end
    return values
  end,
  __metatable = false,
})

-- The names of moon for tasks.
local of_tasks = {
  sleep = true, spawn = true, all = true, race = true, timeout = true, take = true, when = true,
  defer = true, continue = true,
}

-- Raises an error for a wrong routing option. The error names the line that called the constructor.
local function check_option(option)
  local allowed, message = pcall(call, host.option, option)
  if not allowed then error(message, 0) end
end

-- Makes a table of services from their declarations; loaded on first use.
local make_service

-- Adds a service of the host to moon; returns false if there is no service of that name.
local function service(name)
  if type(name) ~= "string" then return false end
  local functions, handles, is_scripted, simple = call(host.services, name)
  if not functions then return false end
  make_service = make_service or require "moonwire.services"(native, host)
  rawset(moon, name, make_service(name, functions, handles, is_scripted, simple))
  return true
end

-- `moon.ui`, of which what few use is loaded on first use.
local function elements()
  local ui = require "moonwire.ui"
  local made = {
    input = ui.input, number = ui.number, toggle = ui.toggle, choice = ui.choice,
    button = ui.button, container = ui.container,
  }
  --- Inputs for the fields of an action, and a button that dispatches it: `ui.form "add"`.
  function ui.form(name, options)
    return require "moonwire.forms"(made, declared, name, options)
  end
  --- Figures as bars, or as a line: `ui.chart { { "Mon", 3 }, { "Tue", 5 }, line = true }`.
  function ui.chart(figures)
    return require "moonwire.charts"(figures)
  end
  --- A card of a template and data, which fills `${…}`, `$data` and `$when`.
  function ui.template(card, data) return require "moonwire.templates"(card, data, moon.list) end
  return ui
end

-- Loads moon.ui and the rest of moon on first use, so that a module that has no screens, no effects
-- and doesn't navigate doesn't pay for them.
local function missing(_, name)
  if name == "ui" then
    rawset(moon, "ui", elements())
  elseif of_tasks[name] then
    tasks()
  elseif service(name) then
    return rawget(moon, name)
  elseif not rawget(moon, "nav") then
    for key, word in pairs(require "moonwire.navigation" (check_option)) do
      rawset(moon, key, word)
    end
  end
  return rawget(moon, name)
end
setmetatable(moon, { __index = missing, __metatable = false })

-- Handles what an effect returns.
local function finish(...)
  if select("#", ...) > 0 then tasks().finish(...) end
end

-- Calls an effect, or the function of a request with its other parts. `last` is true for a request,
-- the type of the action that gets the result of an effect with `reduce`, or the fourth argument of
-- a function under `after_reduce`.
native.effect(function(effect, payload, context, action, last, ...)
  if last == nil then return finish(effect(payload, context, action)) end
  if last == true then return tasks().request(effect, payload, action, ...) end
  if type(last) == "table" then return finish(effect(payload, context, action, last)) end
  call(host.dispatch, last, (tasks().settle(effect(payload, context, action))))
end)
native.context(self)
return moon
