-- Texts and rows. What feeds say has no Markdown: it is shown as it is.
local moon = require "moonwire"
local ui = moon.ui

local lines = {}

function lines.line(text, options)
  options = options or {}
  return ui.rich {
    { text = text, color = options.color, weight = options.weight, isSubtle = options.subtle },
    spacing = options.spacing or "none",
  }
end

-- What was done last, or couldn't be; the line is there also if there is nothing to say.
function lines.said(state)
  local is_busy = state.left > 0 and not state.is_problem
  return lines.line(is_busy and ("Refreshing, %d left …"):format(state.left) or state.said,
    { color = state.is_problem and "attention" or "good" })
end

function lines.cut(text, max)
  if (utf8.len(text) or 0) <= max then return text end
  return text:sub(1, utf8.offset(text, max) - 1) .. "…"
end

-- A row that can be chosen; its data is what keys get that act on the focus.
function lines.row(cells, type, data)
  local columns = {
    id = (data.url or data.scope) .. " " .. (data.id or data.of), spacing = "none",
    select = ui.button("Show", type, data, { inputs = false }),
  }
  for place, cell in ipairs(cells) do
    columns[place] = ui.column { lines.line(cell[1], cell), width = cell.width or "auto" }
  end
  return ui.row(columns)
end

-- Lines of a length that is pleasant to read, however wide the terminal is.
function lines.wrapped(text, width, mark, blank)
  local wrapped, current, length = {}, mark or "", 0
  for word in text:gmatch "%S+" do
    local more = utf8.len(word) or #word
    if length > 0 and length + more >= width then
      wrapped[#wrapped + 1] = current
      current, length = blank or "", 0
    end
    current = current .. (length > 0 and " " or "") .. word
    length = length + more + 1
  end
  wrapped[#wrapped + 1] = current
  return table.concat(wrapped, "\n")
end

local looks = {
  text = {}, heading = { weight = "bolder" }, quote = { mark = "> ", blank = "> ", subtle = true },
  item = { mark = "- ", blank = "  ", spacing = "none" },
}

function lines.block(block, width)
  local look = looks[block.kind]
  local text = look and lines.wrapped(block.text, width, look.mark, look.blank)
    or "  " .. block.text:gsub("\n", "\n  ")
  look = look or { color = "accent" }
  return lines.line(text, {
    weight = look.weight, subtle = look.subtle, color = look.color,
    spacing = look.spacing or "medium",
  })
end

return lines
