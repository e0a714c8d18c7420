-- What can be done to the cards of a board. Cards aren't changed in place, since undo keeps them.
local moon = require "moonwire"

local cards = {}

-- Returns the card with an id and its place in the list; nil if there is none.
function cards.find(list, id)
  for place, card in ipairs(list) do
    if card.id == id then return card, place end
  end
end

-- The cards of a column, from top to bottom.
function cards.of_column(list, column)
  local found = {}
  for _, card in ipairs(list) do
    if card.column == column then found[#found + 1] = card end
  end
  return found
end

-- Words of a text, such as "home, urgent", without blanks around them.
function cards.labels(text)
  local labels = moon.list()
  for label in (text or ""):gmatch "[^,]+" do
    label = label:match "^%s*(.-)%s*$"
    if label ~= "" then labels[#labels + 1] = label end
  end
  return labels
end

-- Whether a card has a text in its title, its description or its labels.
function cards.has(card, text)
  local words = card.title .. "\n" .. card.text .. "\n" .. table.concat(card.labels, "\n")
  return words:lower():find(text:lower(), 1, true) ~= nil
end

-- Returns a card that may be changed, and its place.
local function required(state, id)
  local card, place = cards.find(state.cards, id)
  if not card then moon.refuse("There is no card " .. id .. ".") end
  local own = {}
  for name, value in pairs(card) do own[name] = value end
  state.cards[place] = own
  return state.cards[place], place
end

local function fill(card, payload)
  card.title, card.text = payload.title, payload.text or ""
  card.labels, card.due = cards.labels(payload.labels), payload.due
end

local function named(title)
  if title:match "^%s*$" then moon.refuse "A card needs a title." end
end

-- Each returns what was done, in a few words.
cards.changes = {}

function cards.changes.add(state, payload)
  named(payload.title)
  state.last_id = state.last_id + 1
  local card = { id = state.last_id, column = 1 }
  fill(card, payload)
  table.insert(state.cards, card)
  return "Added " .. card.title
end

function cards.changes.change(state, payload)
  named(payload.title)
  local card = required(state, payload.id)
  fill(card, payload)
  return "Changed " .. card.title
end

function cards.changes.remove(state, payload)
  local card, place = required(state, payload.id)
  local title = card.title
  table.remove(state.cards, place)
  return "Deleted " .. title
end

function cards.changes.move(state, payload)
  local card, place = required(state, payload.id)
  local column = card.column + payload.by
  if column < 1 or column > #state.columns then
    moon.refuse(card.title .. " is in the " .. (column < 1 and "first" or "last") .. " column.")
  end
  card.column = column
  -- A moved card comes last in its new column.
  table.insert(state.cards, table.remove(state.cards, place))
  return "Moved " .. card.title .. " to " .. state.columns[column]
end

function cards.changes.shift(state, payload)
  local card, place = required(state, payload.id)
  local step = payload.by < 0 and -1 or 1
  local other = place + step
  while state.cards[other] and state.cards[other].column ~= card.column do other = other + step end
  if not state.cards[other] then
    moon.refuse(card.title .. " is the " .. (step < 0 and "first" or "last") .. " of its column.")
  end
  local title = card.title
  table.insert(state.cards, other, table.remove(state.cards, place))
  return "Moved " .. title .. (step < 0 and " up" or " down")
end

function cards.changes.archive(state)
  local last, kept, count = #state.columns, moon.list(), 0
  for _, card in ipairs(state.cards) do
    if card.column == last then
      table.insert(state.archive, card)
      count = count + 1
    else
      kept[#kept + 1] = card
    end
  end
  if count == 0 then moon.refuse("No card is in " .. (state.columns[last] or "a column") .. ".") end
  state.cards = kept
  return "Archived " .. count .. (count == 1 and " card" or " cards")
end

function cards.changes.take_back(state, payload)
  local card, place = cards.find(state.archive, payload.id)
  if not card then moon.refuse("There is no card " .. payload.id .. " in the archive.") end
  local title = card.title
  table.insert(state.cards, table.remove(state.archive, place))
  return "Took " .. title .. " out of the archive"
end

return cards
