local moon = require "moonwire"
local cards = require "cards"
local ui = moon.ui

local views = {}

local function line(text, options)
  options = options or {}
  options.spacing = options.spacing or "none"
  return ui.text(text, options)
end

-- Day and labels, such as `2026-01-31  #home`.
local function details(card)
  local words = { card.due }
  for _, label in ipairs(card.labels) do words[#words + 1] = "#" .. label end
  return table.concat(words, "  ")
end

local function block(card, type)
  local about = details(card)
  return ui.container {
    line(card.title, { wrap = true }),
    about ~= "" and line(about, { subtle = true }),
    spacing = "none",
    select = ui.button(card.title, type, { id = card.id }, {
      -- The focus follows the id when the card moves.
      id = "card" .. card.id, inputs = false,
    }),
  }
end

local function column(state, number)
  local shown = {}
  local all = cards.of_column(state.cards, number)
  for _, card in ipairs(all) do
    if cards.has(card, state.filter) then shown[#shown + 1] = card end
  end
  local count = #shown == #all and #all or #shown .. " of " .. #all
  return ui.column {
    ui.heading(state.columns[number] .. "  " .. count),
    ui.list(shown, function(card) return block(card, "open") end),
    width = "stretch",
  }
end

function views.board(_, state)
  local columns = {}
  for number in ipairs(state.columns) do columns[number] = column(state, number) end
  return {
    state.filter ~= "" and line("Only cards with '" .. state.filter .. "'  (F: all)",
      { color = "warning" }),
    #columns > 0 and ui.row(columns),
    #state.cards == 0 and "Nothing to do. n makes a card, ? lists the keys.",
    state.said ~= "" and line(state.said, { subtle = true, spacing = "default" }),
  }
end

function views.card(screen, state)
  local card = cards.find(state.cards, screen.props.id)
  if not card then return "The card is gone. Esc: back." end
  return {
    ui.facts {
      { "Column", state.columns[card.column] },
      #card.labels > 0 and { "Labels", table.concat(card.labels, ", ") },
      card.due and { "Due", card.due },
    },
    card.text ~= "" and ui.text(card.text, { wrap = true }),
    ui.actions {
      ui.open("Edit", "/card/edit?id=" .. card.id, { id = "edit" }),
      ui.button("Delete", "remove", { id = card.id }, { inputs = false, style = "destructive" }),
    },
  }
end

local function form(card, title, type, data)
  return {
    ui.input { id = "title", label = "Title", value = card.title, required = true },
    ui.input { id = "labels", label = "Labels", value = table.concat(card.labels or {}, ", "),
      placeholder = "home, urgent" },
    ui.date { id = "due", label = "Due", value = card.due },
    ui.input { id = "text", label = "Text", value = card.text, multiline = true,
      placeholder = "**bold**, _italic_, - lists" },
    ui.actions {
      ui.button(title, type, data, { id = "save" }),
      ui.button("Cancel", "nav/dismiss", nil, { inputs = false }),
    },
  }
end

function views.new() return form({}, "Add", "add") end

function views.edit(screen, state)
  local card = cards.find(state.cards, screen.props.id)
  if not card then return "The card is gone. Esc: back." end
  return form(card, "Save", "change", { id = card.id })
end

function views.filter(_, state)
  return {
    ui.input { id = "text", label = "Text", value = state.filter, placeholder = "empty: all" },
    ui.button("Show", "filter", nil, { id = "save" }),
  }
end

function views.archive(_, state)
  if #state.archive == 0 then return "Nothing is archived. a on the board does that." end
  return {
    line("b takes a card back."),
    ui.list(state.archive, function(card) return block(card, "take_back") end),
  }
end

function views.overview(_, state)
  local counts = {}
  for number, title in ipairs(state.columns) do
    counts[number] = { title, #cards.of_column(state.cards, number) }
  end
  counts.title = "Cards by column"
  local labels, by_label = {}, { title = "Cards by label" }
  for _, card in ipairs(state.cards) do
    for _, label in ipairs(card.labels) do labels[label] = (labels[label] or 0) + 1 end
  end
  for label, count in pairs(labels) do by_label[#by_label + 1] = { label, count } end
  return {
    ui.chart(counts),
    #by_label > 0 and ui.chart(by_label),
    line(#state.archive .. " archived", { subtle = true, spacing = "default" }),
  }
end

return views
