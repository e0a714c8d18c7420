-- What can be done to the items of a card's checklist.
local moon = require "moonwire"
local places = require "places"
local words = require "words"

local changes = {}

local checklist = { changes = changes }

local function located(desk, payload)
  local card = desk:card(payload.card)
  local item, place = places.item(card, payload.item)
  if not item then moon.refuse("There is no item " .. payload.item .. ".") end
  return card, item, place
end

local function last_id(card)
  local last = 0
  for _, item in ipairs(card.checklist) do last = math.max(last, item.id) end
  return last
end

-- One item for each line.
function changes.add_items(desk, payload)
  local card, texts = desk:card(payload.card), words.lines(payload.items)
  if #texts == 0 then moon.refuse "Write an item, or one on each line." end
  local last = last_id(card)
  for place, text in ipairs(texts) do
    table.insert(card.checklist, { id = last + place, text = text, done = false })
  end
  desk:put("card", card)
  return "Added " .. words.count(#texts, "item") .. " to " .. card.title
end

function changes.check(desk, payload)
  local card, item = located(desk, payload)
  item.done = not item.done
  desk:put("card", card)
  return (item.done and "Ticked off " or "To be done again: ") .. item.text
end

function changes.change_item(desk, payload)
  local card, item = located(desk, payload)
  item.text = words.trimmed(payload.text)
  if item.text == "" then moon.refuse "An item needs a text." end
  desk:put("card", card)
  return "Changed " .. item.text
end

function changes.remove_item(desk, payload)
  local card, item, place = located(desk, payload)
  table.remove(card.checklist, place)
  desk:put("card", card)
  return "Deleted " .. item.text
end

function checklist.shift(desk, payload)
  local card, item, place = located(desk, payload)
  local other = place + payload.by
  if not card.checklist[other] then
    moon.refuse("It is the " .. (payload.by < 0 and "first" or "last") .. " item.")
  end
  table.insert(card.checklist, other, table.remove(card.checklist, place))
  desk:put("card", card)
  return "Moved " .. item.text .. (payload.by < 0 and " up" or " down")
end

return checklist
