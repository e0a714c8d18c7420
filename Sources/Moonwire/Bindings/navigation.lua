-- The words of `moon` that have to do with URLs, screens and modules: constructors of plain tables.
-- Loaded when the first of them is asked for.
local as_list = require "moonwire".list
local type, error, pairs, ipairs = type, error, pairs, ipairs

local words, nav = {}, {}

-- `level` is that of whoever called the constructor.
local function check(what, value, expected, level)
  local kind = type(value)
  for word in expected:gmatch("%a+") do
    if kind == word then return value end
  end
  local said = expected:gsub("|", " or a ")
  error(what .. " takes a " .. said .. ", not " .. (value == nil and "nothing" or "a " .. kind),
    (level or 2) + 1)
end

local function copy(into, from)
  for key, value in pairs(from or {}) do into[key] = value end
  return into
end

-- Routing options -----------------------------------------------------------------------------

for _, kind in ipairs { "push", "modal", "show", "root", "back_to", "none" } do
  words[kind] = function(fields)
    if fields ~= nil then check("moon." .. kind, fields, "table") end
    return copy({ option = kind }, fields)
  end
end

--- `moon.replace()` and `moon.replace { animated = true }` are the routing option;
--- `moon.replace("counter/add", payload)` and `moon.replace { type = … }` put an action in the
--- place of another.
function words.replace(action, payload)
  if type(action) == "string" then action = { type = action, payload = payload } end
  if action ~= nil then check("moon.replace", action, "table") end
  if action and action.type then return { replace = action } end
  return copy({ option = "replace" }, action)
end

--- A routing option of one's own.
function words.option(kind, fields)
  check("moon.option", kind, "string")
  return copy({ option = kind }, fields)
end

-- URLs ----------------------------------------------------------------------------------------

--- What observers and handlers return to have another URL routed instead.
function words.redirect(url, params)
  if params ~= nil then check("moon.redirect", params, "table") end
  return { redirect = check("moon.redirect", url, "string"), params = params }
end

--- The action that routes a URL.
function words.route(url, params, option)
  check("moon.route", url, "string")
  return { type = "nav/route", payload = { url = url, params = params, option = option } }
end

-- Modules -------------------------------------------------------------------------------------

--- What a module mapper returns to have a module's action `start` dispatched.
function words.start(module, payload)
  return { start = check("moon.start", module, "string"), payload = payload }
end

--- The same with its action `stop`.
function words.stop(module, payload)
  return { stop = check("moon.stop", module, "string"), payload = payload }
end

-- Navigation ----------------------------------------------------------------------------------

-- A screen is a URL, `moon.nav.screen(url, params)` or a table; stacks and tabs hold several.
local function action(kind, field, value, options)
  local payload = copy({}, options)
  if field then payload[field] = value end
  return { type = "nav/" .. kind, payload = payload }
end

local function about_screen(kind, field)
  nav[kind] = function(screen, options)
    check("moon.nav." .. kind, screen, "string|table")
    return action(kind, field, screen, options)
  end
end

for _, kind in ipairs { "push", "replace", "root", "show", "update" } do
  about_screen(kind, "screen")
end
about_screen("present", "node")

local function about_id(kind)
  nav[kind] = function(id, options)
    return action(kind, "id", check("moon.nav." .. kind, id, "string"), options)
  end
end

for _, kind in ipairs { "start", "close", "focus", "dismiss_to", "pop_to", "remove_tab" } do
  about_id(kind)
end

local function about_count(kind)
  nav[kind] = function(count, options)
    if count ~= nil then check("moon.nav." .. kind, count, "number") end
    return action(kind, "count", count, options)
  end
end

about_count("pop")
about_count("dismiss")

local function about_nothing(kind)
  nav[kind] = function(options) return action(kind, nil, nil, options) end
end

for _, kind in ipairs { "dismiss_to_root", "pop_to_root", "back" } do
  about_nothing(kind)
end

--- Replaces all that the window shows; nothing hides it.
function nav.set(root, options)
  if root ~= nil then check("moon.nav.set", root, "string|table") end
  return action("set", "root", root, options)
end

function nav.set_navigation(screens, options)
  return action("set_navigation", "screens",
    as_list(check("moon.nav.set_navigation", screens, "table")), options)
end

function nav.set_tabs(tabs, options)
  return action("set_tabs", "tabs", as_list(check("moon.nav.set_tabs", tabs, "table")),
    options)
end

--- `at` is "first", "last" or a position counted from 1.
function nav.insert_tab(tab, at, options)
  check("moon.nav.insert_tab", tab, "string|table")
  local made = action("insert_tab", "tab", tab, options)
  made.payload.at = at
  return made
end

--- By id, or by position counted from 1.
function nav.select_tab(tab, options)
  check("moon.nav.select_tab", tab, "string|number")
  return action("select_tab", type(tab) == "string" and "id" or "index", tab, options)
end

--- By URL, which has a slash, by id, or to a screen that isn't there yet.
function nav.back_to(target, options)
  check("moon.nav.back_to", target, "string|table")
  local field = type(target) == "table" and "screen" or target:find("/", 1, true) and "url" or "id"
  return action("back_to", field, target, options)
end

--- A screen by URL, with parameters.
function nav.screen(url, params)
  return { route = check("moon.nav.screen", url, "string"), params = params }
end

local function container(field)
  return function(items)
    check("moon.nav." .. field, items, "table")
    local node, list = {}, {}
    for key, value in pairs(items) do
      if type(key) == "number" then list[key] = value else node[key] = value end
    end
    node[field] = as_list(list)
    return node
  end
end

--- `moon.nav.stack { "/list", "/detail/1", id = "lists" }`
nav.stack = container("stack")
--- `moon.nav.tabs { moon.nav.stack { "/list" }, "/settings", selected = 2 }`
nav.tabs = container("tabs")

words.nav = nav
return words
