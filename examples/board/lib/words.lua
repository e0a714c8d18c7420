-- How things are said, and what people write.
local moon = require "moonwire"

local words = {}

function words.count(number, one, many)
  return number .. " " .. (number == 1 and one or many or one .. "s")
end

function words.cards(number) return words.count(number, "card") end

function words.trimmed(text) return (text or ""):match "^%s*(.-)%s*$" end

local function parts(text, pattern)
  local found = moon.list()
  for part in (text or ""):gmatch(pattern) do
    part = words.trimmed(part)
    if part ~= "" then found[#found + 1] = part end
  end
  return found
end

-- A title as one names it where it is known: what is said of it stays on one line.
function words.brief(title)
  if (utf8.len(title) or 0) <= 40 then return title end
  return title:sub(1, utf8.offset(title, 40) - 1) .. "…"
end

-- What commas separate, such as `home, urgent`.
function words.listed(text) return parts(text, "[^,]+") end

function words.lines(text) return parts(text, "[^\n]+") end

-- Labels without the # that some people write before them, each once.
function words.labels(text)
  local labels, seen = moon.list(), {}
  for _, label in ipairs(words.listed(text)) do
    label = label:match "^#*(.*)$"
    if label ~= "" and not seen[label] then labels[#labels + 1] = label end
    seen[label] = true
  end
  return labels
end

-- A day such as 2026-01-31, as text; nil for none.
function words.day(text)
  if words.trimmed(text) == "" then return nil end
  local is_day = text:match "^%d%d%d%d%-%d%d%-%d%d$" and pcall(moon.time.parse, text)
  if not is_day then moon.refuse("'" .. text .. "' isn't a day: write it as 2026-01-31.") end
  return text
end

function words.checked(card)
  local done = 0
  for _, item in ipairs(card.checklist) do done = done + (item.done and 1 or 0) end
  return done
end

-- Whether a card has each word of a filter; a word such as #home is the beginning of a label.
function words.matches(card, filter)
  if filter == "" then return true end
  local texts = { card.title, card.text, table.concat(card.labels, "\n") }
  for _, item in ipairs(card.checklist) do texts[#texts + 1] = item.text end
  local all = table.concat(texts, "\n"):lower()
  local labels = "\n" .. texts[3]:lower()
  for word in filter:lower():gmatch "%S+" do
    local label = word:match "^#(.+)"
    local found = label and labels:find("\n" .. label, 1, true) or all:find(word, 1, true)
    if not found then return false end
  end
  return true
end

return words
