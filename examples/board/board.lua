-- A board of cards in columns, used by keys alone.
--
--   moonwire stage DIR --allow storage
--
-- Without storage, the board lasts as long as the app. `--set board.columns="Ideas, Now, Done"`
-- names other columns. `?` lists the keys.
local moon = require "moonwire"
local cards = require "cards"
local history = require "history"
local keeping = require "keeping"
local views = require "views"

local card_fields = { title = "string", text = "string?", labels = "string?", due = "string?" }

local function with_id(fields)
  local all = { id = "integer" }
  for name, type in pairs(fields) do all[name] = type end
  return all
end

local dialog = moon.modal { once = true, style = "sheet" }

-- A screen about one card, which is gone if the card is.
local function of_card(kind, option, title)
  return {
    option = option,
    screen = function(route, state)
      local id = math.tointeger(route.params.id)
      local card = cards.find(state.cards, id)
      return card and { kind = kind, title = title or card.title, props = { id = id } }
    end,
  }
end

local dialogs = { new = true, edit = true, filter = true }

-- A dialog is left once what it is for has been done; an action of the prompt has none.
local function dismiss(_, _, self)
  local top = self.top()
  if top and dialogs[top.kind] then return moon.nav.dismiss() end
end

return moon.module {
  description = "Keeps cards in columns",
  needs = { moon.optional("storage", "to keep the board until the next run") },
  settings = {
    columns = { "string", "The titles of the columns, from left to right",
      default = "To do, Doing, Done" },
  },

  state = {
    -- From left to right, and in each column from top to bottom.
    columns = moon.list(), cards = moon.list(), last_id = 0,
    archive = moon.list(), filter = "",
    -- What was changed, the latest last, and what was undone.
    done = moon.list(), undone = moon.list(), said = "",
  },

  actions = {
    add = card_fields,
    change = with_id(card_fields),
    remove = { "Removes a card", id = "integer" },
    move = { "Moves a card by a number of columns", id = "integer", by = "integer" },
    shift = { "Moves a card up or down", id = "integer", by = "integer" },
    open = { "Shows a card", id = "integer" },
    archive = "Puts the cards of the last column away",
    take_back = { "Takes a card out of the archive", id = "integer" },
    filter = { "Shows only cards with a text", text = "string?" },
    undo = "Undoes the last change",
    redo = "Does again what was undone",
    read = "Reads the board of the last run",
    keep = "Keeps the board for the next run",
    begun = { "The board was read", columns = "string[]", kept = "map?" },
  },

  reducers = history.reducers(cards.changes),
  effects = keeping.effects,
  observe = { keeping.observe },

  on_start = function(self)
    self.route "/board"
    self.dispatch "read"
  end,

  routes = {
    ["/board"] = {
      option = moon.push(),
      screen = function() return { kind = "board", title = "Board" } end,
    },
    ["/card"] = of_card("card", moon.push()),
    ["/card/edit"] = of_card("edit", dialog, "Edit card"),
    ["/new"] = {
      option = dialog, screen = function() return { kind = "new", title = "New card" } end,
    },
    ["/filter"] = {
      option = dialog, screen = function() return { kind = "filter", title = "Filter" } end,
    },
    ["/archive"] = {
      option = moon.push(), screen = function() return { kind = "archive", title = "Archive" } end,
    },
    ["/overview"] = {
      option = moon.push(),
      screen = function() return { kind = "overview", title = "Overview" } end,
    },
  },

  map_navigation = {
    open = function(action) return moon.route("/card", { id = action.payload.id }) end,
    add = dismiss, change = dismiss, filter = dismiss,
  },

  views = views,
  keys = require "keys",
}
