-- A reader of feeds (RSS and Atom), with what was received kept for reading offline.
--
--   moonwire stage DIR --allow 'net:*' --allow storage
--
-- A feed of this machine or of one's own network needs its address, too: --allow net:192.168.1.5.
--
-- To import and export lists of feeds (OPML), a directory for them in that of the app:
-- --allow read:lists --allow write:lists.
--
-- a adds a feed, Enter shows one, n goes to the next unread article; `?` lists the keys.
local moon = require "moonwire"
local keeping = require "keeping"
local lists = require "lists"
local network = require "network"
local news = require "news"
local screens = require "screens"

local function merged(a, b)
  local both = {}
  for name, value in pairs(a) do both[name] = value end
  for name, value in pairs(b) do both[name] = value end
  return both
end

local function refresh() return { type = "refresh", payload = {} } end

local article = { url = "string", id = "string" }
local scope = { scope = "unread|starred|all|feed|category", of = "string" }

return moon.module {
  description = "Reads feeds",
  needs = {
    ["net:*"] = "to fetch your feeds", ["storage"] = "to keep them for reading offline",
    -- `net:*` is the public network: private addresses are named one by one.
    moon.optional("net:localhost", "to fetch feeds of this machine"),
    moon.optional("net:192.168.*", "to fetch feeds of your own network"),
    moon.optional("net:10.*", "to fetch feeds of your own network"),
    moon.optional("read:*", "to import lists of feeds"),
    moon.optional("write:*", "to export lists of feeds"),
  },
  settings = {
    minutes = { "integer", "How often a feed is refreshed", default = 30 },
    keep = { "integer", "How many articles of a feed are kept, besides those it has",
      default = 300 },
    width = { "integer", "How long the lines of an article are", default = 76 },
  },

  state = {
    -- `kept` has the revisions of feeds in the storage, by URL.
    is_ready = false, feeds = moon.list(), kept = {},
    -- How many are still to be refreshed, and what was done last.
    left = 0, said = "", is_problem = false,
    search = { text = "", found = moon.list(), count = 0 },
    -- Marks that can be undone, the latest last.
    done = moon.list(),
  },

  actions = {
    load = "Reads the feeds of the last run",
    loaded = { feeds = "list" },
    keep = "Writes to the storage what has changed",
    kept = { url = "string", revision = "integer?" },
    ended = { "Something was done", text = "string" },
    failed = { "Something can't be done", text = "string" },
    add = { "Adds a feed", url = "string", title = "string?", category = "string?" },
    edit = { "Changes a feed", url = "string", title = "string?", category = "string?" },
    remove = { "Removes a feed and its articles", url = "string" },
    refresh = { "Fetches the feeds that are due, or all", is_forced = "boolean?" },
    refresh_one = merged({ "Fetches a feed" }, scope),
    refreshing = { left = "integer" },
    take = { "Takes a text as if the server had sent it", url = "string", text = "string" },
    received = { url = "string", title = "string", articles = "list", etag = "string",
      modified = "string", keep = "integer" },
    checked = { url = "string", problem = "string", next_at = "integer" },
    show = merged({ "Lists articles" }, scope),
    open = merged(merged({ "Shows an article" }, article), scope),
    was_read = { id = "string", blocks = "list", links = "list" },
    show_link = { "Shows the link of an article as a whole", url = "string" },
    next_unread = merged({ "Shows the next unread article", id = "string?" }, scope),
    mark = merged({ "Marks as read, or as unread" }, article),
    star = merged({ "Stars, or takes the star away" }, article),
    mark_all = merged({ "Marks all in a list as read" }, scope),
    undo = "Undoes the last marks",
    search = { "Finds articles by words", text = "string" },
    look_up = "Looks for what was typed",
    found = { text = "string", found = "list", count = "integer", is_ready = "boolean" },
    choose = { "Asks for a file", form = "import|export" },
    import = { "Adds the feeds of an OPML file", path = "string" },
    export = { "Writes an OPML file", path = "string", replace = "boolean?" },
  },

  reducers = require "changes",

  effects = {
    load = keeping.load,
    keep = keeping.keep,
    refresh = { policy = "first", run = network.refresh },
    refresh_one = refresh, add = refresh,
    take = function(payload, self)
      local problem = network.receive(self, payload.url, payload.text)
      return problem and { type = "failed", payload = { text = "It wasn't taken: " .. problem } }
    end,
    open = { policy = "latest", run = keeping.read },
    next_unread = function(at, self)
      local one = news.next_unread(self.state "inbox", at.scope, at.of, at.id)
      if not one then return { type = "ended", payload = { text = "All is read." } } end
      return { type = "open", payload = {
        url = one.feed.url, id = one.article.id, scope = at.scope, of = at.of,
      } }
    end,
    look_up = { policy = "latest", run = keeping.search },
    import = lists.import,
    export = lists.export,
  },

  observe = {
    ["inbox.feeds"] = function(_, _, self) self.dispatch "keep" end,
    ["inbox.search.text"] = {
      debounce = 0.15, run = function(_, _, self) self.dispatch "look_up" end,
    },
  },
  schedules = { refresh = { every = 60, payload = {} } },

  on_start = function(self)
    self.route "/feeds"
    self.dispatch "load"
  end,

  routes = screens.routes,
  map_navigation = screens.map_navigation,
  views = merged(require "views", require "forms"),
  keys = require "keys",
}
