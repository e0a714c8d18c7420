-- Which screens there are, what leads to them, and when they are left.
local moon = require "moonwire"
local kinds = require "kinds"
local places = require "places"

local screens = {}

local sheet = moon.modal { once = true, style = "sheet" }

local function page(kind, title)
  return { option = moon.push { once = true }, screen = function()
    return { kind = kind, title = title }
  end }
end

local function dialog(kind, title)
  return { option = sheet, screen = function() return { kind = kind, title = title } end }
end

local function get(state, kind, id)
  id = math.tointeger(id)
  return id and kinds.memory(state):get(kind, id)
end

local function props_of(params)
  local props = {}
  for _, name in ipairs { "card", "column", "item", "board" } do
    props[name] = math.tointeger(params[name])
  end
  return props
end

-- What is meant by the data of a control, which a URL has as parameters: an item of a card, a card,
-- a column or a board. Returns its kind and its name; nil if it has gone.
local function subject(state, params)
  local board = params.board and get(state, "board", params.board)
  if board then return "board", board.name end
  local card = params.card and get(state, "card", params.card)
  local item = card and places.item(card, math.tointeger(params.item))
  if item then return "item", item.text end
  if card then return "card", card.title end
  board = get(state, "board", state.shown)
  local column = board and places.column(board, math.tointeger(params.column))
  if column then return "column", column.title end
end

-- A dialog about what has the focus.
local function about(screen_of)
  return {
    option = sheet,
    screen = function(route, state)
      local what, name = subject(state, route.params)
      if not what then moon.refuse "That has gone." end
      local screen = screen_of(what, name)
      screen.props = props_of(route.params)
      screen.props.what = what
      return screen
    end,
  }
end

local edit = about(function(what, name)
  return what == "card" and { kind = "edit", title = "Edit card" }
    or { kind = "name", title = (what == "item" and "Change " or "Rename ") .. name }
end)

local delete = about(function(_, name)
  return { kind = "question", title = "Delete " .. name .. "?" }
end)

local function with_props(kind, title)
  return { option = sheet, screen = function(route)
    return { kind = kind, title = title, props = props_of(route.params) }
  end }
end

screens.routes = {
  ["/board"] = page("board", "Board"),
  ["/card/:card<int>"] = {
    parent = "/board",
    option = moon.push { once = true },
    screen = function(route, state)
      local card = get(state, "card", route.params.card)
      return card and { kind = "card", title = card.title, props = { card = card.id } }
    end,
  },
  ["/archive"] = page("archive", "Archive"),
  ["/overview"] = page("overview", "Overview"),
  ["/boards"] = dialog("boards", "Boards"),
  ["/boards/new"] = dialog("new_board", "New board"),
  ["/boards/rename"] = edit,
  ["/boards/delete"] = delete,
  ["/new"] = with_props("new", "New card"),
  ["/column"] = with_props("name", "New column"),
  ["/items"] = with_props("items", "New items"),
  ["/edit"] = edit,
  ["/delete"] = delete,
  ["/filter"] = dialog("filter", "Filter"),
  ["/search"] = dialog("search", "Search all boards"),
  ["/export"] = dialog("export", "Export to Markdown"),
  ["/replace"] = { option = sheet, screen = function(route)
    local name = route.params.name
    return name and { kind = "question", title = "Replace " .. name .. "?",
      props = { what = "file", name = name } }
  end },
  ["/leave"] = dialog("question", "Leave without saving?"),
}

-- The title of the board follows its name, that of a card the card.
screens.title = {
  board = function(_, state)
    local board = get(state, "board", state.shown)
    return board and board.name
  end,
  card = function(screen, state)
    local card = get(state, "card", screen.props.card)
    return card and card.title
  end,
}

local pages = { board = true, card = true, archive = true, overview = true }

-- A dialog is left once what it is for has been done; an action of the prompt has none.
local function dismiss(_, _, self)
  local top = self.top()
  if top and not pages[top.kind] then return moon.nav.dismiss() end
end

-- So are the dialogs below it.
local function dismiss_all(_, _, self)
  local top = self.top()
  if top and not pages[top.kind] then return moon.nav.dismiss_to_root() end
end

screens.map_navigation = {
  open = function(action)
    local payload = action.payload
    if payload.card then return "/card/" .. payload.card end
    return moon.route("/new", { column = payload.column })
  end,
  -- Actions in place of URLs, since the buttons of a card have its id for keys, too.
  edit = function(action) return moon.route("/edit", action.payload) end,
  delete = function(action) return moon.route("/delete", action.payload) end,
  list_items = function(action) return moon.route("/items", action.payload) end,
  go = function(action, state, self)
    return { dismiss_all(action, state, self), "/card/" .. action.payload.card }
  end,
  exported = dismiss_all, show_board = dismiss_all, add_board = dismiss_all, discard = dismiss_all,
}

for _, name in ipairs {
  "add", "change", "add_items", "change_item", "remove_item", "remove_card", "add_column",
  "rename_column", "remove_column", "rename_board", "remove_board", "filter",
} do
  screens.map_navigation[name] = dismiss
end

local forms = { new = true, edit = true, items = true, new_board = true, name = true }

-- What was typed isn't lost without a question.
function screens.on_back(screen)
  if forms[screen.kind] and next(screen.inputs) then return "/leave" end
end

-- The screen of a card is left when the card has been deleted on it.
screens.lifecycle = {
  on = "card",
  did_appear = function(screen, _, state, self)
    if not get(state, "card", screen.props.card) then self.dispatch(moon.nav.pop()) end
  end,
}

return screens
