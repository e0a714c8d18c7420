-- The three columns: the directory above, this one, and what is in an entry.
local moon = require "moonwire"
local listing = require "listing"
local paths = require "paths"
local words = require "words"
local ui = moon.ui

local views = {}

local rows_min = 3

-- A line that is cut where its column ends, unless it may wrap.
local function line(text, options)
  options = options or {}
  options.spacing, options.wrap = "none", options.wrap or false
  return ui.text(words.plain((text:gsub("\n", "\\n"))), options)
end
views.line = line

local function count_of(marked)
  local count = 0
  for _ in pairs(marked) do count = count + 1 end
  return count
end

-- What holds for the whole list, as far as it isn't as usual.
local function header(state, list)
  local parts = {
    list and words.entries(#list.entries) or "reading …",
    list and #list.entries > 0 and "at " .. words.number(list.cursor),
    list and list.left_out > 0 and list.left_out .. " not shown",
    state.filter ~= "" and "with '" .. state.filter .. "'",
    (state.sort ~= "name" or state.is_reversed)
      and "by " .. state.sort .. (state.is_reversed and ", reversed" or ""),
    next(state.marked) and count_of(state.marked) .. " marked",
    #state.held.paths > 0
      and #state.held.paths .. " to " .. state.held.mode .. " (p: here)",
    state.busy ~= "" and state.busy .. " …",
  }
  local said = {}
  for place = 1, 8 do said[#said + 1] = parts[place] or nil end
  return line(table.concat(said, " · "), { subtle = true })
end

local failures_max = 4

local function report(said)
  local lines = {}
  if said.text ~= "" then lines[1] = line(said.text, { color = "good" }) end
  for place, failure in ipairs(said.failures) do
    if place > failures_max then
      failure = ("and %d more"):format(#said.failures - failures_max)
    end
    lines[#lines + 1] = line(failure, { color = "attention", wrap = true })
    if place > failures_max then break end
  end
  return lines
end

local function above(state, rows)
  local parent = paths.parent(state.place)
  local list = parent and state.lists[parent]
  if not list then return { line(parent and "" or "(the top)", { subtle = true }) } end
  local column, name = {}, paths.name(state.place)
  local first, last = listing.around(#list.entries, list.cursor, rows)
  for place = first, last do
    local entry = list.entries[place]
    column[#column + 1] = line(entry.name, entry.name == name and { weight = "bolder" } or nil)
  end
  return column
end

local function row(state, entry, is_cursor)
  local path = paths.join(state.place, entry.name)
  local is_marked = state.marked[path]
  local ending = (entry.kind == "directory" and "/" or "") .. (entry.is_link and " @" or "")
  local title = (is_marked and "● " or "") .. entry.name .. ending
  local options = {
    color = is_marked and "warning" or entry.kind == "directory" and "accent" or nil,
  }
  return ui.row {
    ui.column { line(title, options), width = "stretch" },
    entry.detail ~= "" and ui.column { line(entry.detail, { subtle = true }), width = "auto" },
    spacing = "none",
    select = ui.button(entry.name, "open", { path = path, kind = entry.kind },
      { id = path, focus = is_cursor }),
  }
end

-- As many as there is room for: a directory may have more entries than a screen may have parts.
local function here(state, list, rows)
  if not list then return {} end
  if list.problem then return { line("This can't be shown: " .. list.problem, { wrap = true }) } end
  if #list.entries == 0 then
    local is_empty = list.left_out == 0
    return { line(is_empty and "(empty: a makes a file)" or "(nothing to show)") }
  end
  local column = {}
  local first, last = listing.around(#list.entries, list.cursor, rows)
  for place = first, last do
    column[#column + 1] = row(state, list.entries[place], place == list.cursor)
  end
  return column
end

local function picture(read)
  return ui.image(read.image, { altText = paths.name(read.path), spacing = "none" })
end

-- What was read of another entry is left out.
local function beside(state, list, rows)
  local looked, entry = state.looked, list and list.entries[list.cursor]
  local path = entry and paths.join(state.place, entry.name)
  if not looked or looked.path ~= path then return { line(entry and "…" or "") } end
  local column = {
    line(paths.name(looked.path) .. "  " .. looked.about, { weight = "bolder" }),
  }
  if looked.image then column[2] = picture(looked) end
  if looked.note then column[#column + 1] = line(looked.note, { wrap = true }) end
  for place = 1, math.min(#looked.lines, rows - 1) do
    column[#column + 1] = line(looked.lines[place])
  end
  return column
end

function views.list(screen, state, self)
  -- A list that has just been pushed: the state still has the one before.
  if screen.params.path ~= state.place then return {} end
  local list = state.lists[state.place]
  local progress, said = state.progress, state.said and report(state.said) or {}
  local _, rows = self.size()
  rows = math.max(rows_min, (rows or 22) - 1 - #said - (progress and 1 or 0))
  return {
    header(state, list),
    said,
    progress and ui.progress(progress.done, progress.all, { spacing = "none" }),
    ui.row {
      ui.column { above(state, rows), width = 2 },
      ui.column { here(state, list, rows), width = state.detail == "size" and 5 or 8 },
      ui.column { beside(state, list, rows), width = 5 },
      spacing = "none",
    },
  }
end

function views.view(screen, state)
  local read = state.read
  if not read or read.path ~= screen.params.path then return "Reading …" end
  local body = { line(read.path .. "  " .. read.about, { subtle = true }) }
  if read.image then body[2] = picture(read) end
  if read.note then body[#body + 1] = line(read.note, { wrap = true }) end
  for _, text in ipairs(read.lines) do body[#body + 1] = line(text) end
  return body
end

return views
