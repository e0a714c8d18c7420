-- What can be done to boards and their columns.
local moon = require "moonwire"
local places = require "places"
local words = require "words"

local changes = {}

local function named(text, what)
  local name = words.trimmed(text)
  if name == "" then moon.refuse(what .. " needs a name.") end
  return name
end

local function located(desk, id)
  local board = desk:board()
  local column, number = places.column(board, id)
  if not column then moon.refuse("There is no column " .. id .. ".") end
  return board, column, number
end

local boards = { changes = changes }

-- Makes a board with columns that commas separate.
function boards.new(id, name, titles)
  local board = { id = id, name = name, columns = moon.list(), archive = moon.list() }
  for number, title in ipairs(words.listed(titles)) do
    board.columns[number] = { id = number, title = title, cards = moon.list() }
  end
  if #board.columns == 0 then moon.refuse "A board needs a column: write To do, Done." end
  board.last_column = #board.columns
  return board
end

function changes.add_board(desk, payload)
  local name = named(payload.name, "A board")
  local board = boards.new(desk:next_id "board", name, payload.columns)
  desk:put("board", board)
  desk.state.shown, desk.state.filter = board.id, ""
  return "Added the board " .. name
end

function changes.rename_board(desk, payload)
  local board = desk:board(payload.board)
  board.name = named(payload.name, "A board")
  desk:put("board", board)
  return "Renamed the board to " .. board.name
end

-- All its cards go with it, and come back with it.
function changes.remove_board(desk, payload)
  local board = desk:board(payload.board)
  local others = desk.store:filter("board", function(other) return other.id ~= board.id end)
  if #others == 0 then moon.refuse "It is the only board: make another one first." end
  for _, column in ipairs(board.columns) do
    for _, card in ipairs(column.cards) do desk:delete("card", card) end
  end
  for _, entry in ipairs(board.archive) do desk:delete("card", entry.card) end
  desk:delete("board", board.id)
  if desk.state.shown == board.id then desk.state.shown = others[1].id end
  return "Deleted the board " .. board.name
end

-- A new column comes to the right of the one it was made at.
function changes.add_column(desk, payload)
  local board = desk:board()
  local _, number = places.column(board, payload.column)
  board.last_column = board.last_column + 1
  local column = {
    id = board.last_column, title = named(payload.title, "A column"), cards = moon.list(),
  }
  number = (number or #board.columns) + 1
  table.insert(board.columns, number, column)
  places.reveal(desk.state, board, number)
  desk:put("board", board)
  return "Added the column " .. column.title
end

function changes.rename_column(desk, payload)
  local board, column = located(desk, payload.column)
  column.title = named(payload.title, "A column")
  desk:put("board", board)
  return "Renamed the column to " .. column.title
end

function boards.move_column(desk, payload)
  local board, column, number = located(desk, payload.column)
  local other = number + payload.by
  if not board.columns[other] then
    moon.refuse("It is the " .. (payload.by < 0 and "first" or "last") .. " column.")
  end
  table.insert(board.columns, other, table.remove(board.columns, number))
  places.reveal(desk.state, board, other)
  desk:put("board", board)
  return "Moved " .. column.title .. (payload.by < 0 and " to the left" or " to the right")
end

local function put_away(board, column)
  for _, card in ipairs(column.cards) do
    table.insert(board.archive, { card = card, column = column.id })
  end
end

function boards.archive_column(desk, payload)
  local board, column = located(desk, payload.column)
  local count = #column.cards
  if count == 0 then moon.refuse("No card is in " .. column.title .. ".") end
  put_away(board, column)
  column.cards = moon.list()
  desk:put("board", board)
  return "Archived " .. words.cards(count) .. " of " .. column.title
end

-- The cards of a column that goes are archived.
function changes.remove_column(desk, payload)
  local board, column, number = located(desk, payload.column)
  if #board.columns == 1 then moon.refuse "It is the only column of the board." end
  put_away(board, column)
  table.remove(board.columns, number)
  desk:put("board", board)
  return "Deleted the column " .. column.title
end

return boards
