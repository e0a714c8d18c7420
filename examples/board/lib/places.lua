-- Where things are on a board.
local places = {}

-- Returns the entry of a list whose field has a value, and its place; nil if there is none.
local function find(list, field, value)
  for place, entry in ipairs(list) do
    if entry[field] == value then return entry, place end
  end
end

-- Returns the column with an id and its number.
function places.column(board, id) return find(board.columns, "id", id) end

-- Returns the column of a card, the number of that column, and the card's place in it.
function places.card(board, id)
  for number, column in ipairs(board.columns) do
    for place, card in ipairs(column.cards) do
      if card == id then return column, number, place end
    end
  end
end

-- Returns a card's entry in the archive and its place there.
function places.archived(board, id) return find(board.archive, "card", id) end

-- Where a card is, in words; nil if it is nowhere on this board.
function places.named(board, id)
  local column = places.card(board, id)
  if column then return column.title end
  return places.archived(board, id) and "Archive" or nil
end

-- Returns an item of a card's checklist and its place in it.
function places.item(card, id) return find(card.checklist, "id", id) end

-- Returns the numbers of the first and the last column that are shown: as many as there may be.
function places.window(state, board)
  local last_first = math.max(1, #board.columns - state.side_by_side + 1)
  local first = math.max(1, math.min(state.first, last_first))
  return first, math.min(#board.columns, first + state.side_by_side - 1)
end

-- Moves on to a column that isn't shown, as far as necessary.
function places.reveal(state, board, number)
  local first, last = places.window(state, board)
  state.first = number < first and number or first + math.max(0, number - last)
end

function places.count(board)
  local count = 0
  for _, column in ipairs(board.columns) do count = count + #column.cards end
  return count
end

-- Returns the board that has a card; nil if none has it.
function places.board_of(boards, id)
  for _, board in ipairs(boards) do
    if places.named(board, id) then return board end
  end
end

return places
