-- The board and what is on the pages that are pushed over it.
local moon = require "moonwire"
local kinds = require "kinds"
local parts = require "parts"
local places = require "places"
local words = require "words"
local ui = moon.ui

local views = {}

local function shown_cards(store, column, filter)
  local shown = {}
  for _, id in ipairs(column.cards) do
    local card = store:get("card", id)
    if words.matches(card, filter) then shown[#shown + 1] = card end
  end
  return shown
end

-- A column without cards has a row nevertheless, so that keys can make one there.
local function column_view(state, store, column, number)
  local shown, all = shown_cards(store, column, state.filter), #column.cards
  local spacing = state.is_dense and "none" or "medium"
  local count = #shown == all and tostring(all) or #shown .. " of " .. all
  local data = { column = column.id }
  return ui.column {
    parts.row(column.title, "open", data, {
      ui.rich {
        { number .. " ", subtle = true }, { column.title, weight = "bolder" },
        { "  " .. count, subtle = true },
      },
      id = "column" .. column.id,
    }),
    ui.list(shown, function(card)
      return parts.card(card, "open", { card = card.id, column = column.id },
        { spacing = spacing, focus = card.id == state.goal })
    end, { spacing = spacing }),
    #shown == 0 and parts.row("New card", "open", data, {
      parts.line("–", { subtle = true }), spacing = spacing,
    }),
    width = "stretch",
  }
end

local function late(store, board)
  local count = 0
  for _, column in ipairs(board.columns) do
    for _, id in ipairs(column.cards) do
      local due = store:get("card", id).due
      if due and parts.urgency(due) == "attention" then count = count + 1 end
    end
  end
  return count
end

function views.board(_, state)
  local store = kinds.memory(state)
  local board = store:get("board", state.shown)
  local count, overdue = places.count(board), late(store, board)
  local columns, first, last = {}, places.window(state, board)
  for number = first, last do
    columns[#columns + 1] = column_view(state, store, board.columns[number], number)
  end
  return {
    parts.status(state, count == 0 and "n makes a card, ? lists the keys."
      or words.cards(count) .. (overdue > 0 and ", " .. overdue .. " late" or "")),
    #columns < #board.columns and parts.line(
      ("Columns %d to %d of %d  ([ ] + -)"):format(first, last, #board.columns), { subtle = true }),
    ui.row(columns),
  }
end

local function item_row(card, item)
  return parts.row(item.text, "check", { card = card.id, item = item.id }, {
    parts.line((item.done and "[x] " or "[ ] ") .. item.text, { subtle = item.done }),
    id = "item" .. item.id,
  })
end

local function checklist(card)
  if #card.checklist == 0 then return {} end
  local done = words.checked(card)
  return {
    ui.heading("Checklist  " .. done .. " of " .. #card.checklist),
    ui.list(card.checklist, function(item) return item_row(card, item) end),
  }
end

function views.card(screen, state)
  local store = kinds.memory(state)
  local card = store:get("card", screen.props.card)
  if not card then return "The card has gone. u: undo, Esc: back." end
  local board = store:get("board", state.shown)
  local place = places.named(board, card.id) or "another board"
  local data = { card = card.id }
  return {
    parts.status(state, place),
    state.said ~= "" and parts.line(place, { weight = "bolder" }),
    parts.about(card),
    card.text ~= "" and ui.text(card.text, { wrap = true }),
    checklist(card),
    ui.actions {
      ui.button("Edit", "edit", data, { inputs = false }),
      ui.button("New items", "list_items", data, { inputs = false }),
      ui.button("Delete", "delete", data, { inputs = false }),
    },
  }
end

function views.archive(_, state)
  local store = kinds.memory(state)
  local board = store:get("board", state.shown)
  local archive = board.archive
  if #archive == 0 then
    return { parts.status(state, ""), "Nothing is archived: a on the board does that." }
  end
  local rows = {}
  -- The latest come first.
  for place = #archive, 1, -1 do
    local card = store:get("card", archive[place].card)
    if words.matches(card, state.filter) then
      local column = places.column(board, archive[place].column)
      rows[#rows + 1] = parts.card(card, "open", { card = card.id },
        { place = column and "from " .. column.title })
    end
  end
  return {
    parts.status(state, words.cards(#archive)),
    rows,
    parts.line("r takes one back, d deletes it.", { subtle = true }),
  }
end

return views
