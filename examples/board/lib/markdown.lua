-- A board as Markdown, for other programs and people.
local words = require "words"

-- A text on one line, without the meaning that Markdown gives to its signs.
local function plain(text)
  return (text:gsub("%s+", " "):gsub("[\\`*_%[%]<>#]", "\\%0"))
end

local function card_lines(lines, card)
  local about = { "- **" .. plain(card.title) .. "**" }
  if card.due then about[#about + 1] = "due " .. card.due end
  for _, label in ipairs(card.labels) do about[#about + 1] = "`#" .. label .. "`" end
  lines[#lines + 1] = table.concat(about, " ")
  if card.text ~= "" then
    lines[#lines + 1] = ""
    for line in (card.text .. "\n"):gmatch "(.-)\n" do
      lines[#lines + 1] = line == "" and "" or "  " .. line
    end
    lines[#lines + 1] = ""
  end
  for _, item in ipairs(card.checklist) do
    lines[#lines + 1] = ("  - [%s] %s"):format(item.done and "x" or " ", plain(item.text))
  end
end

local function section(lines, title, ids, card_of)
  lines[#lines + 1] = ""
  lines[#lines + 1] = "## " .. plain(title)
  if #ids > 0 then lines[#lines + 1] = "" end
  for _, id in ipairs(ids) do card_lines(lines, card_of(id)) end
end

-- `card_of` returns the card with an id.
return function(board, card_of)
  local lines = { "# " .. plain(board.name) }
  for _, column in ipairs(board.columns) do
    section(lines, column.title .. " (" .. words.cards(#column.cards) .. ")", column.cards, card_of)
  end
  if #board.archive > 0 then
    local ids = {}
    for place, entry in ipairs(board.archive) do ids[place] = entry.card end
    section(lines, "Archive", ids, card_of)
  end
  return table.concat(lines, "\n") .. "\n"
end
