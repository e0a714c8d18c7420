-- All changes by the names of their actions. Some keys mean what has the focus: a card, an item of
-- its checklist, or a column.
local moon = require "moonwire"
local boards = require "boards"
local cards = require "cards"
local checklist = require "checklist"

local changes = {}

for _, part in ipairs { boards, cards, checklist } do
  for name, change in pairs(part.changes) do changes[name] = change end
end

local function none() moon.refuse "Choose a card or a column first." end

function changes.move(desk, payload)
  local change = payload.card and cards.move or payload.column and boards.move_column or none
  return change(desk, payload)
end

function changes.shift(desk, payload)
  local change = payload.item and checklist.shift or payload.card and cards.shift
  if not change then moon.refuse "A column moves to the left and to the right: H and L." end
  return change(desk, payload)
end

function changes.archive(desk, payload)
  local change = payload.card and cards.archive or payload.column and boards.archive_column
  return (change or none)(desk, payload)
end

return changes
