-- What lies over the feeds: forms, and questions.
local moon = require "moonwire"
local lines = require "lines"
local news = require "news"
local ui = moon.ui
local line = lines.line

local forms = {}

local function form(title, type, data, ...)
  return {
    ...,
    ui.actions {
      ui.button(title, type, data, { id = "save" }),
      ui.button("Cancel", "nav/dismiss", nil, { inputs = false }),
    },
  }
end

local function question(text, title, type, data)
  return {
    line(text),
    ui.actions {
      ui.button("Keep it", "nav/dismiss"),
      ui.button(title, type, data, { style = "destructive" }),
    },
  }
end

function forms.add()
  return form("Add", "add", nil, {
    ui.input { id = "url", label = "Address", required = true },
    ui.input { id = "category", label = "Category" },
  })
end

function forms.edit(screen, state)
  local feed = news.feed(state, screen.params.of)
  return feed and form("Save", "edit", { url = feed.url }, {
    line(feed.url, { subtle = true }),
    line(feed.problem, { color = "attention" }),
    ui.input { id = "title", label = "Title", value = feed.title },
    ui.input { id = "category", label = "Category", value = feed.category },
  })
end

-- There is neither a browser nor a clipboard here: the terminal copies. A link goes on in the next
-- line, so that all of it is seen.
function forms.link(screen)
  return {
    line(screen.params.url, { color = "accent" }),
    line("Select it with the mouse, with Shift held, and copy it in the terminal.", {
      subtle = true, spacing = "medium",
    }),
  }
end

function forms.remove(screen, state)
  local feed = news.feed(state, screen.params.of)
  return feed and question(
    ("Its %d articles go, too, also starred ones. This can't be undone."):format(#feed.articles),
    "Remove", "remove", { url = feed.url })
end

local function file(title, type)
  return function(_, state)
    return form(title, type, nil, {
      ui.input {
        id = "path", label = "File", value = "lists/feeds.opml", required = true, keep = true,
      },
      state.is_problem and line(state.said, { color = "attention" }),
    })
  end
end

forms.import = file("Import", "import")
forms.export = file("Export", "export")

function forms.overwrite(screen)
  local path = screen.params.path
  return question("There is a file " .. path .. " already. What is in it would be lost.",
    "Overwrite", "export", { path = path, replace = true })
end

return forms
