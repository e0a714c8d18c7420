-- Boards of cards in columns, used by keys alone.
--
--   moonwire stage DIR --allow storage --set board.directory=/home/ada/papers \
--     --allow read:/home/ada/papers --allow write:/home/ada/papers
--
-- Without `storage`, the boards last as long as the app; files are for exporting to Markdown.
-- `--set board.columns="Ideas, Now, Done"` names the columns of new boards. `?` lists the keys:
-- they do to a column what they do to a card while its title has the focus. `u` undoes everything,
-- also what was done in an earlier run.
local moon = require "moonwire"
local forms = require "forms"
local keeping = require "keeping"
local screens = require "screens"
local views = require "views"

views.overview = require "overview"
for kind, form in pairs(forms) do views[kind] = form end

-- Until the boards have been read, there is nothing to show.
for kind, view in pairs(views) do
  views[kind] = function(screen, state, self)
    if state.shown > 0 then return view(screen, state, self) end
    return state.problem ~= "" and state.problem or "Reading …"
  end
end

keeping.effects.export = require "exporting"

return moon.module {
  description = "Keeps cards in columns, on several boards",

  needs = {
    moon.optional("storage", "to keep the boards until the next run"),
    moon.optional("read:*", "to ask before a file is replaced"),
    moon.optional("write:*", "to export boards"),
  },

  settings = {
    columns = { "string", "The titles of a new board's columns, from left to right",
      default = "To do, Doing, Done" },
    directory = { "string", "The directory that boards are exported to", default = "exports" },
  },

  state = {
    -- All boards, cards and steps, and the id of the board that is shown.
    records = {}, shown = 0, filter = "", search = "", is_dense = false,
    -- The first of the columns that are shown, and how many there are at most.
    first = 1, side_by_side = 5,
    -- The card that was made last: it gets the focus.
    goal = 0,
    -- The last step that is done, and the last one of all: those after it are undone.
    step_done = 0, step_last = 0,
    -- Counts changes; the last one that is kept; how often changes were kept by anyone, as far as is
    -- known; and what tells this window from others.
    revision = 0, kept = 0, writes = 0, window = 0, is_read = false,
    -- What was done last, and what has gone wrong.
    said = "", problem = "",
  },

  actions = require "actions",
  reducers = require "reducers",
  effects = keeping.effects,
  observe = { keeping.observe },

  on_start = function(self)
    self.route "/board"
  end,

  routes = screens.routes,
  title = screens.title,
  map_navigation = screens.map_navigation,
  on_back = screens.on_back,
  lifecycle = screens.lifecycle,
  views = views,
  keys = require "keys",
}
