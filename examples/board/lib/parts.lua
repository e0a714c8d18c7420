-- Parts of several screens.
local moon = require "moonwire"
local words = require "words"
local ui = moon.ui

local parts = {}

-- A text as it was written, without Markdown.
function parts.line(text, options)
  options = options or {}
  options[1] = text
  return ui.rich({ options }, { spacing = "none" })
end

-- A line that does something; `data` is what keys get that act on what has the focus.
function parts.row(title, type, data, contents)
  contents.spacing = contents.spacing or "none"
  contents.select = ui.button(title, type, data, {
    inputs = false, id = contents.id, focus = contents.focus,
  })
  contents.id, contents.focus = nil, nil
  return ui.container(contents)
end

local seconds_of_day = 24 * 60 * 60

-- How urgent a day is, as a color: that of what is late, soon or neither.
function parts.urgency(day)
  local today = os.date "%Y-%m-%d"
  if day < today then return "attention" end
  return day <= os.date("%Y-%m-%d", os.time() + 2 * seconds_of_day) and "warning" or nil
end

local function due(day)
  local color = parts.urgency(day)
  return { (color == "attention" and "late " or "") .. day, color = color, subtle = not color }
end

-- What there is to know about a card besides its title: `2026-01-31  2/5  #home  ≡`. The sign at
-- the end is for a text. Nil if there is nothing.
function parts.about(card)
  local runs = {}
  local function add(run)
    if #runs > 0 then runs[#runs + 1] = "  " end
    runs[#runs + 1] = run
  end
  if card.due then add(due(card.due)) end
  if #card.checklist > 0 then
    local done = words.checked(card)
    add { done .. "/" .. #card.checklist, color = done == #card.checklist and "good" or nil,
      subtle = done < #card.checklist }
  end
  for _, label in ipairs(card.labels) do add { "#" .. label, color = "accent" } end
  if card.text ~= "" then add { "≡", subtle = true } end
  return #runs > 0 and ui.rich(runs, { spacing = "none" }) or nil
end

-- A card in a list; `options.place` says where it is, for lists that aren't columns, and
-- `options.focus` that it gets the focus.
function parts.card(card, type, data, options)
  options = options or {}
  local place = options.place
  return parts.row(card.title, type, data, {
    parts.line(card.title),
    parts.about(card),
    place and parts.line(place, { subtle = true }),
    -- The focus follows the id of a card that moves.
    id = "card" .. card.id, spacing = options.spacing, focus = options.focus,
  })
end

-- What was done last, what can't be kept, and what is filtered; a line in any case, so that what is
-- below stays where it is.
function parts.status(state, text)
  local said = state.said ~= "" and state.said or text
  return {
    state.problem ~= "" and parts.line(state.problem, { color = "attention" }),
    state.filter ~= ""
      and parts.line("Only cards with '" .. state.filter .. "'  (F: all)", { color = "warning" }),
    parts.line(said, { subtle = true }),
  }
end

return parts
