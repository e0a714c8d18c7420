-- The functions of `moon` for URLs, routing options, mappers and navigation. Each makes a plain
-- table. This file is loaded on first use.
local as_list = require "moonwire".list
local type, error, pairs, ipairs = type, error, pairs, ipairs
local find, gmatch, gsub = string.find, string.gmatch, string.gsub

local words, nav = {}, {}
-- Raises an error for an option with a field that its kind doesn't have, or of the wrong type. The
-- error names the line that called the constructor of the option.
local check_option

-- Checks the type of an argument, and returns the argument. The error names the caller of the
-- constructor, which is at `level`.
local function check(what, value, expected, level)
  local kind = type(value)
  for word in gmatch(expected, "%a+") do
    if kind == word then return value end
  end
  local said = gsub(expected, "|", " or a ")
  error(what .. " takes a " .. said .. ", not " .. (value == nil and "nothing" or "a " .. kind),
    (level or 2) + 1)
end

local function copy(into, from)
  for key, value in pairs(from or {}) do into[key] = value end
  return into
end

-- Routing options -----------------------------------------------------------------------------

local function option_of(kind, fields)
  local option = copy({}, fields)
  option.option = kind
  check_option(option)
  return option
end

for _, kind in ipairs { "push", "modal", "show", "detail", "root", "back_to", "none" } do
  words[kind] = function(fields)
    if fields ~= nil then check("moon." .. kind, fields, "table") end
    local option = option_of(kind, fields)
    return option
  end
end

--- A routing option, or an action that replaces another.
---
--- `moon.replace()` and `moon.replace { animated = true }` are the option;
--- `moon.replace("counter/add", payload)` and `moon.replace { type = … }` are the action.
function words.replace(action, payload)
  if type(action) == "string" then action = { type = action, payload = payload } end
  if action ~= nil then check("moon.replace", action, "table") end
  if action and action.type then return { replace = action } end
  local option = option_of("replace", action)
  return option
end

--- An option that is handled by a module's routing presenter.
function words.option(kind, fields)
  check("moon.option", kind, "string")
  if fields ~= nil then check("moon.option", fields, "table") end
  local option = option_of(kind, fields)
  return option
end

-- URLs ----------------------------------------------------------------------------------------

--- Returned by a routing observer or handler to redirect to another URL.
---
--- Parameters passed with the first URL are kept; `params` takes precedence. Without an `option`,
--- such as `moon.modal()`, the option of the matching route is used.
function words.redirect(url, params, option)
  if params ~= nil then check("moon.redirect", params, "table") end
  if option ~= nil then check("moon.redirect", option, "string|table") end
  return { redirect = check("moon.redirect", url, "string"), params = params, option = option }
end

--- The action that routes a URL.
function words.route(url, params, option)
  check("moon.route", url, "string")
  return { type = "nav/route", payload = { url = url, params = params, option = option } }
end

-- Modules -------------------------------------------------------------------------------------

--- Returned by a module mapper to dispatch the action `start` of a module.
function words.start(module, payload)
  return { start = check("moon.start", module, "string"), payload = payload }
end

--- Returned by a module mapper to dispatch the action `stop` of a module.
function words.stop(module, payload)
  return { stop = check("moon.stop", module, "string"), payload = payload }
end

-- Navigation ----------------------------------------------------------------------------------

-- Makes an action. A screen in its payload is a URL, `moon.nav.screen(url, params)` or a table.
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

for _, kind in ipairs { "push", "replace", "root", "show", "show_detail", "update" } do
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

--- Lets a split view show one column or both; without an id, the one nearest the top.
for _, kind in ipairs { "collapse", "expand" } do
  nav[kind] = function(id, options)
    if id ~= nil then check("moon.nav." .. kind, id, "string") end
    return action(kind, "id", id, options)
  end
end

for _, kind in ipairs { "dismiss_to_root", "pop_to_root", "back" } do
  about_nothing(kind)
end

--- Replaces the content of a window. Without a root, hides the window.
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

--- Adds a tab. `at` is "first", "last" or a position counted from 1.
function nav.insert_tab(tab, at, options)
  check("moon.nav.insert_tab", tab, "string|table")
  local made = action("insert_tab", "tab", tab, options)
  made.payload.at = at
  return made
end

--- Selects a tab by its id, or by its position counted from 1.
function nav.select_tab(tab, options)
  check("moon.nav.select_tab", tab, "string|number")
  return action("select_tab", type(tab) == "string" and "id" or "index", tab, options)
end

local function column(what, value)
  if value == "master" or value == "detail" then return value end
  error(what .. " takes \"master\" or \"detail\", not "
    .. (type(value) == "string" and "\"" .. value .. "\"" or value == nil and "nothing"
      or "a " .. type(value)), 3)
end

--- Replaces a column of the split view on top.
function nav.set_column(which, node, options)
  column("moon.nav.set_column", which)
  check("moon.nav.set_column", node, "string|table")
  local made = action("set_column", "column", which, options)
  made.payload.node = node
  return made
end

--- Selects a column of the split view on top.
function nav.select_column(which, options)
  return action("select_column", "column", column("moon.nav.select_column", which), options)
end

--- Goes back to the screen with a URL (which contains a slash) or an id. A table describes a screen
--- that replaces the one below the top.
function nav.back_to(target, options)
  check("moon.nav.back_to", target, "string|table")
  local field = type(target) == "table" and "screen" or find(target, "/", 1, true) and "url" or "id"
  return action("back_to", field, target, options)
end

--- The screen that a URL leads to, with parameters to pass.
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

--- A stack of screens: `moon.nav.stack { "/list", "/detail/1", id = "lists" }`.
nav.stack = container("stack")
--- Tabs of stacks and screens: `moon.nav.tabs { moon.nav.stack { "/list" }, "/settings" }`.
nav.tabs = container("tabs")

--- Two columns: `moon.nav.split { master = moon.nav.stack { "/list" }, detail = "/detail/1" }`.
---
--- Without a detail, that column is an empty stack.
function nav.split(fields)
  check("moon.nav.split", fields, "table")
  check("moon.nav.split, in `master`,", fields.master, "string|table")
  local node = copy({}, fields)
  if node.detail == nil then node.detail = nav.stack {} end
  return node
end

words.nav = nav
return function(option_check)
  check_option = option_check
  return words
end
