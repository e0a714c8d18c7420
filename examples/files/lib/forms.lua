-- What lies over the list: forms, questions, and lists to choose from.
local moon = require "moonwire"
local bulk = require "bulk"
local marks = require "marks"
local paths = require "paths"
local views = require "views"
local words = require "words"
local ui = moon.ui
local line = views.line

local forms = {}

local function buttons(title, type, data)
  return ui.actions {
    ui.button(title, type, data, { id = "save" }),
    ui.button("Cancel", "nav/dismiss", nil, { inputs = false }),
  }
end

function forms.new()
  return {
    ui.input {
      id = "name", label = "Name", required = true,
      placeholder = "a / at its end: a directory; sub/x makes sub, too",
    },
    buttons("Make", "create"),
  }
end

function forms.rename(screen, state)
  local path = marks.at(state, screen.params.path)
  return {
    ui.input { id = "name", label = "Name", value = paths.name(path), required = true },
    buttons("Rename", "rename", { path = path }),
  }
end

function forms.filter(_, state)
  return {
    ui.input {
      id = "text", label = "Text", value = state.filter, placeholder = "empty: all",
      changed = { type = "filter", payload = { is_typed = true } },
    },
    ui.actions {
      ui.button("Show", "filter", nil, { id = "save" }),
      ui.button("Show all", "filter", nil, { inputs = false }),
    },
  }
end

function forms.bulk(_, state, self)
  local _, rows = self.size()
  return {
    line("One name on each line, in this order. Ctrl-S: what they lead to.", { wrap = true }),
    ui.input {
      id = "names", label = "Names", value = bulk.text(state.bulk.from), multiline = true,
      keep = true, rows = rows and math.max(4, math.min(#state.bulk.from, rows - 6)),
    },
    buttons("Compare", "bulk_check"),
  }
end

-- Old name, new name, and what is wrong with it.
local function change_row(change)
  local text = paths.name(change.from) .. "  →  " .. paths.name(change.to)
  if not change.problem then return line(text) end
  return line(text .. "  (" .. change.problem .. ")", { color = "attention" })
end

function forms.check(_, state)
  local changes, problem = state.bulk.changes, state.bulk.problem
  local is_ready = not problem and #changes > 0
  return {
    ui.list(changes, change_row),
    problem
      and line(problem .. " Esc: back to the names.", { color = "attention", wrap = true }),
    #changes == 0 and not problem and line "No name is another one. Esc: back to the names.",
    is_ready
      and ui.button("Rename " .. words.entries(#changes), "bulk_rename", nil, { id = "save" }),
  }
end

-- A line that goes somewhere.
local function choice(title, type, data, note)
  return ui.row {
    ui.column { line(title), width = "stretch" },
    note and ui.column { line(note, { subtle = true }), width = "auto" },
    spacing = "none", select = ui.button(title, type, data, { inputs = false }),
  }
end

function forms.search(_, state)
  local search = state.search
  local function results()
    if search.is_running then return line "Searching …" end
    if #search.entries == 0 then return line("Nothing has '" .. search.text .. "' in its name.") end
    return {
      line(words.entries(#search.entries) .. " with '" .. search.text .. "'", { subtle = true }),
      ui.list(search.entries, function(entry)
        local text = entry.path .. (entry.kind == "directory" and "/" or "")
        return choice(text, "go", { path = entry.path, kind = entry.kind })
      end),
    }
  end
  return {
    ui.input {
      id = "text", label = "A part of the name", value = search and search.text, keep = true,
    },
    ui.button("Search", "search", nil, { id = "save" }),
    search and results(),
  }
end

function forms.bookmarks(_, state)
  return ui.when(#state.bookmarks > 0, function()
    return ui.list(state.bookmarks, function(path)
      return choice(path == "" and "(the top)" or path, "go", { path = path, kind = "directory" })
    end)
  end, "None yet: m in a directory makes one.")
end

function forms.trash(_, state)
  local trash = state.trash
  if trash.count == 0 then return "It is empty." end
  return {
    ui.list(trash.items, function(item)
      return choice(item.origin, "restore", { path = item.path, origin = item.origin })
    end),
    trash.count > #trash.items
      and line(words.number(trash.count - #trash.items) .. " older ones aren't shown"),
    line("Enter puts back, E empties the trash", { subtle = true }),
  }
end

function forms.empty(_, state)
  return {
    words.entries(state.trash.count) .. " will be gone for good. This can't be undone.",
    ui.actions {
      ui.button("Cancel", "nav/dismiss"),
      ui.button("Empty", "empty", nil, { style = "destructive" }),
    },
  }
end

return forms
