-- The board in figures.
local moon = require "moonwire"
local kinds = require "kinds"
local parts = require "parts"
local words = require "words"
local ui = moon.ui

-- How many days and labels are listed at most.
local shown_max = 10

-- The labels of cards with their counts: the most frequent first, then by name.
local function labels_of(cards)
  local counts, names = {}, {}
  for _, card in ipairs(cards) do
    for _, label in ipairs(card.labels) do
      if not counts[label] then names[#names + 1] = label end
      counts[label] = (counts[label] or 0) + 1
    end
  end
  table.sort(names, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  local bars = { title = "Cards by label" }
  for place = 1, math.min(#names, shown_max) do
    bars[place] = { "#" .. names[place], counts[names[place]] }
  end
  return bars
end

-- The cards with a day, the earliest first.
local function days_of(cards)
  local with_day = {}
  for _, card in ipairs(cards) do
    if card.due then with_day[#with_day + 1] = card end
  end
  table.sort(with_day, function(a, b)
    if a.due ~= b.due then return a.due < b.due end
    return a.id < b.id
  end)
  return with_day
end

return function(_, state)
  local store = kinds.memory(state)
  local board = store:get("board", state.shown)
  local cards, bars = {}, { title = "Cards by column" }
  local items, done = 0, 0
  for number, column in ipairs(board.columns) do
    bars[number] = { column.title, #column.cards }
    for _, id in ipairs(column.cards) do
      local card = store:get("card", id)
      cards[#cards + 1] = card
      items, done = items + #card.checklist, done + words.checked(card)
    end
  end
  local labels, days = labels_of(cards), days_of(cards)
  return {
    parts.line(words.cards(#cards) .. ", " .. #board.archive .. " archived", { subtle = true }),
    ui.chart(bars),
    #labels > 0 and ui.chart(labels),
    items > 0 and {
      ui.heading(("Checklists  %d of %d"):format(done, items)), ui.progress(done, items),
    },
    #days > 0 and ui.heading "Next",
    ui.list(table.move(days, 1, shown_max, 1, {}), function(card)
      return parts.card(card, "open", { card = card.id })
    end),
  }
end
