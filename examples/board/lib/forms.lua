-- What lies over the board: forms, questions, and lists to choose from.
local moon = require "moonwire"
local kinds = require "kinds"
local parts = require "parts"
local places = require "places"
local words = require "words"
local ui = moon.ui

local forms = {}

local function buttons(title, type, data)
  return ui.actions {
    ui.button(title, type, data, { id = "save" }),
    ui.button("Cancel", "nav/dismiss", nil, { inputs = false }),
  }
end

local function card_form(card, title, type, data)
  return {
    ui.input { id = "title", label = "Title", value = card.title, required = true },
    ui.input { id = "labels", label = "Labels", value = table.concat(card.labels, ", "),
      placeholder = "home, urgent" },
    ui.date { id = "due", label = "Due", value = card.due },
    ui.input { id = "text", label = "Text", value = card.text, multiline = true,
      placeholder = "**bold**, _italic_, - list" },
    buttons(title, type, data),
  }
end

function forms.new(screen)
  local props = screen.props
  return card_form({ labels = {} }, "Add", "add", { column = props.column, below = props.card })
end

local function card_of(screen, state)
  return kinds.memory(state):get("card", screen.props.card)
end

local gone = "That has gone. Esc: back."

function forms.edit(screen, state)
  local card = card_of(screen, state)
  return card and card_form(card, "Save", "change", { card = card.id }) or gone
end

function forms.items(screen)
  return {
    ui.input { id = "items", label = "Items, one on each line", multiline = true,
      required = true },
    buttons("Add", "add_items", { card = screen.props.card }),
  }
end

local function name_form(id, label, value, type, data)
  return {
    ui.input { id = id, label = label, value = value, required = true },
    buttons(value and "Save" or "Add", type, data),
  }
end

-- One name: of a column, a board or an item.
function forms.name(screen, state)
  local props, store = screen.props, kinds.memory(state)
  local what = props.what
  if what == "item" then
    local card = card_of(screen, state)
    local item = card and places.item(card, props.item)
    return item and name_form("text", "Text", item.text, "change_item",
      { card = card.id, item = props.item }) or gone
  elseif what == "board" then
    local board = store:get("board", props.board)
    return board and name_form("name", "Name", board.name, "rename_board",
      { board = board.id }) or gone
  elseif what == "column" then
    local column = places.column(store:get("board", state.shown), props.column)
    return column and name_form("title", "Name", column.title, "rename_column",
      { column = column.id }) or gone
  end
  return name_form("title", "Name", nil, "add_column", { column = props.column })
end

function forms.new_board(_, _, self)
  return {
    ui.input { id = "name", label = "Name", required = true },
    ui.input { id = "columns", label = "Columns", value = self.settings.columns },
    buttons("Add", "add_board"),
  }
end

function forms.filter(_, state)
  return {
    ui.input { id = "text", label = "Words", value = state.filter,
      placeholder = "empty: all; #home: a label" },
    buttons("Show", "filter"),
  }
end

function forms.search(_, state)
  local rows = {}
  if state.search ~= "" then
    local store = kinds.memory(state)
    local boards = store:all "board"
    for _, card in ipairs(store:all "card") do
      if words.matches(card, state.search) then
        local board = places.board_of(boards, card.id)
        rows[#rows + 1] = parts.card(card, "go", { card = card.id },
          { place = board.name .. " › " .. places.named(board, card.id) })
      end
    end
    table.insert(rows, 1, parts.line(words.cards(#rows) .. " with '" .. state.search .. "'",
      { subtle = true }))
  end
  return {
    ui.input { id = "text", label = "Words", keep = true, placeholder = "#home: a label" },
    ui.button("Search", "search", nil, { id = "save" }),
    rows,
  }
end

function forms.boards(_, state)
  local rows = {}
  for _, board in ipairs(kinds.memory(state):all "board") do
    local sign = board.id == state.shown and "● " or "  "
    rows[#rows + 1] = parts.row(board.name, "show_board", { board = board.id }, {
      ui.rich {
        sign .. board.name,
        { "  " .. words.cards(places.count(board)), subtle = true },
      },
    })
  end
  return { rows, parts.line("n: new, e: rename, d: delete, u: undo", { subtle = true }) }
end

function forms.export(_, state)
  local board = kinds.memory(state):get("board", state.shown)
  local name = board.name:lower():gsub("[^%w]+", "-")
  return {
    ui.input { id = "name", label = "File", value = name .. ".md", required = true, keep = true },
    buttons("Write", "export"),
  }
end

-- What a question is about: what is said about it, and what the answer yes does.
local questions = {
  card = { "u brings it back.", "Delete", "remove_card", "card" },
  item = { "u brings it back.", "Delete", "remove_item", "card", "item" },
  column = { "Its cards go into the archive. u brings it back.", "Delete", "remove_column",
    "column" },
  board = { "All its cards are deleted, too. u brings it back.", "Delete", "remove_board",
    "board" },
  file = { "There is such a file already.", "Replace", "export", "name" },
  form = { "What you have typed will be gone.", "Leave", "discard" },
}

function forms.question(screen)
  local props = screen.props or {}
  local question = questions[props.what or "form"]
  local data = { replace = props.what == "file" or nil }
  for place = 4, #question do data[question[place]] = props[question[place]] end
  return {
    question[1],
    ui.actions {
      ui.button("No", "nav/dismiss", nil, { id = "no" }),
      ui.button("Yes: " .. question[2]:lower(), question[3], data,
        { id = "yes", style = "destructive" }),
    },
  }
end

return forms
