-- A file manager in three columns: the directory above, this one, and what is in an entry.
--
--   moonwire stage DIR --set files.directory=/home/ada/papers \
--     --allow read:/home/ada/papers --allow write:/home/ada/papers
--
-- To try it on the directory that comes with it: --allow read:sample --allow write:sample.
--
-- Without `write`, it only looks. These make more of it:
--
--   --allow run:file    tells what a file is that isn't text; `--set files.program` names another
--                       program, which gets the path as its last argument
--   --allow run:convert shows images, in terminals that have the graphics protocol of kitty, by
--                       ImageMagick; small PNGs are shown without it
--   --allow run:head    shows the beginning of texts that are larger than 7 MB
--   --allow run:cp      copies files of any size, with their times, permissions and links, by the
--                       cp of GNU
--   --allow storage     keeps bookmarks and ways of looking until the next run
--
-- Nothing is removed at once: the trash is the directory `.trash` in that of the settings, and `u`
-- undoes everything but emptying it. `?` lists the keys.
local moon = require "moonwire"
local effects = require "effects"
local forms = require "forms"
local jobs = require "jobs"
local keeping = require "keeping"
local screens = require "screens"
local views = require "views"

local function merged(a, b)
  local both = {}
  for name, value in pairs(a) do both[name] = value end
  for name, value in pairs(b) do both[name] = value end
  return both
end

effects.keep, effects.read_kept = keeping.write, keeping.read

return moon.module {
  description = "Shows, copies, moves and renames files",

  -- Optional, so that those for one directory are enough.
  needs = {
    moon.optional("read:*", "to show your files"),
    moon.optional("write:*", "to copy, move and rename them"),
    moon.optional("run:*",
      "to tell what a file is, with file, to make images small, with convert, to read the "
        .. "beginning of large files, with head, and to copy, with cp"),
    moon.optional("storage", "to keep bookmarks and ways of looking"),
  },

  settings = {
    directory = { "string", "The directory whose files are shown", default = "sample" },
    program = { "string", "What tells about a file that isn't text", default = "file --brief" },
    watch = { "boolean", "Whether changes by other programs are shown", default = true },
  },

  state = {
    -- What is shown: the directory on top, and the lists of it and of the one above.
    place = "", lists = {}, filter = "",
    sort = "name", is_reversed = false, hidden = false, detail = "size",
    bookmarks = moon.list(),
    -- What is chosen: marks by path, what paste takes, what the trash gets.
    marked = {}, held = { mode = "copy", paths = moon.list() }, targets = moon.list(),
    -- What was changed, the latest last, and what is being changed.
    done = moon.list(), undone = moon.list(), busy = "",
    trash = { items = moon.list(), count = 0 },
  },

  actions = require "actions",
  reducers = merged(require "reducers", require "changes"),
  effects = merged(effects, jobs.effects),
  observe = { keeping.observe },

  on_start = function(self)
    self.route("/in", { path = "" })
    self.dispatch "read_kept"
  end,

  routes = screens.routes,
  map_navigation = screens.map_navigation,
  lifecycle = screens.lifecycle,
  views = merged(views, forms),
  on_back = screens.on_back,
  keys = require "keys",
}
