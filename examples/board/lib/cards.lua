-- What can be done to cards, and to the items of their checklists.
local moon = require "moonwire"
local places = require "places"
local words = require "words"

-- Each change returns what was done, in a few words.
local changes = {}

local cards = { changes = changes }

local function title_of(payload)
  local title = words.trimmed(payload.title)
  if title == "" then moon.refuse "A card needs a title." end
  return title
end

local function fill(card, payload)
  card.title, card.text = title_of(payload), payload.text or ""
  card.labels, card.due = words.labels(payload.labels), words.day(payload.due)
end

-- Returns the shown board and the place of a card on it.
local function located(desk, id)
  local board = desk:board()
  local column, number, place = places.card(board, id)
  if not column then
    moon.refuse(places.archived(board, id) and "The card is archived: r takes it back there."
      or "There is no card " .. id .. " on this board.")
  end
  return board, column, number, place
end

local function chosen_column(board, id)
  local column = id and places.column(board, id) or not id and board.columns[1]
  if not column then moon.refuse("There is no column " .. id .. ".") end
  return column
end

-- A new card comes below the one it was made at, or else last.
function changes.add(desk, payload)
  local board = desk:board()
  local column = chosen_column(board, payload.column)
  local card = { id = desk:next_id "card", checklist = moon.list() }
  fill(card, payload)
  local at, _, place = places.card(board, payload.below or 0)
  table.insert(column.cards, at == column and place + 1 or #column.cards + 1, card.id)
  desk:put("card", card)
  desk:put("board", board)
  desk.state.goal = card.id
  return "Added " .. words.brief(card.title)
end

function changes.change(desk, payload)
  local card = desk:card(payload.card)
  fill(card, payload)
  desk:put("card", card)
  return "Changed " .. words.brief(card.title)
end

function changes.copy(desk, payload)
  local board, column, _, place = located(desk, payload.card)
  local card = desk:card(payload.card)
  card.id = desk:next_id "card"
  table.insert(column.cards, place + 1, card.id)
  desk:put("card", card)
  desk:put("board", board)
  desk.state.goal = card.id
  return "Copied " .. words.brief(card.title)
end

local function put_into(desk, board, number, card, place)
  local target = board.columns[number]
  table.insert(target.cards, math.min(place, #target.cards + 1), card)
  places.reveal(desk.state, board, number)
  desk:put("board", board)
  return "Moved " .. words.brief(desk:card(card).title) .. " to " .. target.title
end

-- A card keeps its height in its new column, as far as there are cards above it.
function cards.move(desk, payload)
  local board, column, number, place = located(desk, payload.card)
  local to = number + payload.by
  if not board.columns[to] then
    moon.refuse("It is in the " .. (payload.by < 0 and "first" or "last") .. " column.")
  end
  table.remove(column.cards, place)
  return put_into(desk, board, to, payload.card, place)
end

function changes.send(desk, payload)
  local board, column, number, place = located(desk, payload.card)
  local target = board.columns[payload.to]
  if not target then moon.refuse("There is no column " .. payload.to .. ".") end
  if payload.to == number then moon.refuse("It is in " .. target.title .. " already.") end
  table.remove(column.cards, place)
  return put_into(desk, board, payload.to, payload.card, place)
end

-- Past the next card that is seen: those that the filter hides don't count.
function cards.shift(desk, payload)
  local board, column, _, place = located(desk, payload.card)
  local step = payload.by < 0 and -1 or 1
  local other = place + step
  while column.cards[other]
    and not words.matches(desk:card(column.cards[other]), desk.state.filter) do
    other = other + step
  end
  if not column.cards[other] then
    moon.refuse("It is the " .. (step < 0 and "first" or "last") .. " of its column.")
  end
  table.insert(column.cards, other, table.remove(column.cards, place))
  desk:put("board", board)
  return "Moved " .. words.brief(desk:card(payload.card).title) .. (step < 0 and " up" or " down")
end

function cards.archive(desk, payload)
  local board, column, _, place = located(desk, payload.card)
  table.remove(column.cards, place)
  table.insert(board.archive, { card = payload.card, column = column.id })
  desk:put("board", board)
  return "Archived " .. words.brief(desk:card(payload.card).title)
end

function changes.take_back(desk, payload)
  local board = desk:board()
  local entry, place = places.archived(board, payload.card)
  if not entry then moon.refuse("Card " .. payload.card .. " isn't in the archive.") end
  table.remove(board.archive, place)
  -- The column it came from may have gone.
  local column = places.column(board, entry.column) or board.columns[1]
  table.insert(column.cards, entry.card)
  desk:put("board", board)
  return "Took " .. words.brief(desk:card(entry.card).title) .. " back to " .. column.title
end

function changes.remove_card(desk, payload)
  local board, card = desk:board(), desk:card(payload.card)
  local column, _, place = places.card(board, card.id)
  local _, archived = places.archived(board, card.id)
  if column then
    table.remove(column.cards, place)
  elseif archived then
    table.remove(board.archive, archived)
  else
    moon.refuse(card.title .. " is on another board.")
  end
  desk:delete("card", card.id)
  desk:put("board", board)
  return "Deleted " .. words.brief(card.title)
end

return cards
