-- What `require "moonwire"` answers in a module. `native` holds the host's functions.
local native, host = ...
local call, tostring, select, type, error = native.call, tostring, select, type, error
local pcall, pairs, require, setmetatable = pcall, pairs, require, setmetatable
local rawget, rawset = rawget, rawset
local length, gsub, concat, sub, find = utf8.len, string.gsub, table.concat, string.sub, string.find

local moon = {
  null = native.null,
  list = native.list,
  random = math.random,
  version = host.version,
}

-- The longest text that is logged at once.
local text_max = 64 * 1024

-- Logs are text: bytes that aren't UTF-8 show as "?".
local function text_of(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local part = tostring((select(i, ...)))
    parts[i] = length(part) and part or gsub(part, "[\128-\255]", "?")
  end
  local text = concat(parts, "\t")
  if #text > text_max then
    -- Not within a character, which has four bytes at most.
    local cut = text_max
    while not length(sub(text, 1, cut)) do cut = cut - 1 end
    text = sub(text, 1, cut) .. "…"
  end
  return text
end

function print(...)
  call(host.print, text_of(...))
end

moon.log = {}
for _, level in ipairs { "trace", "debug", "info", "notice", "warning", "error" } do
  moon.log[level] = function(...)
    call(host.log, level, text_of(...))
  end
end

--- Marks the table of registrations that a module returns.
function moon.module(registrations)
  if type(registrations) ~= "table" then
    error("moon.module takes a table of registrations, not a " .. type(registrations), 2)
  end
  return registrations
end

-- What observers, `on_start` and `on_stop` get as `self`.
local self = {}

-- The error names the line that called into here.
local function refuse_in_pure(what)
  local allowed, message = pcall(native.refuse_in_pure, what)
  if not allowed then error(message, 3) end
end

--- Puts an action at the end of the session's queue; a type without a slash is one's own.
function self.dispatch(action, payload)
  refuse_in_pure("dispatching")
  call(host.dispatch, action, payload)
end

--- A look at the state, or at the part of it under a path.
function self.state(path)
  refuse_in_pure("looking at other modules' state")
  return call(host.state, path)
end

--- Has a URL routed when what is under way is done.
function self.route(url, params, option)
  self.dispatch(moon.route(url, params, option))
end

--- Whether a URL has a route.
function self.can_route(url)
  refuse_in_pure("asking for routes")
  return call(host.canRoute, url)
end

--- The URL of the route with a name.
function moon.url(name, params)
  -- Another run may have other routes.
  refuse_in_pure("making URLs of routes")
  if type(name) ~= "string" then error("moon.url takes the name of a route", 2) end
  return call(host.url, name, params)
end

-- Most modules neither navigate nor show anything: they needn't hold what it takes.
local function missing(_, name)
  if name == "ui" then
    rawset(moon, "ui", require "moonwire.ui")
  elseif not rawget(moon, "nav") then
    for key, word in pairs(require "moonwire.navigation") do rawset(moon, key, word) end
  end
  return rawget(moon, name)
end
setmetatable(moon, { __index = missing, __metatable = false })

native.context(self)
return moon
