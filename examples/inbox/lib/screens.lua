local moon = require "moonwire"
local news = require "news"

local screens = {}

local function form(kind, title)
  return {
    option = moon.modal { once = true, style = "sheet" },
    screen = function(route, state)
      local feed = news.feed(state, route.params.of)
      if title:find "%%s" and not feed then moon.refuse "Move to a feed first" end
      return { kind = kind, title = feed and title:format(news.title(feed)) or title }
    end,
  }
end

local titles = { unread = "Unread", starred = "Starred", all = "All articles" }

local function screen(kind, title)
  return {
    parent = "/feeds", option = moon.push { once = true },
    screen = function() return { kind = kind, title = title } end,
  }
end

screens.routes = {
  ["/feeds"] = {
    option = moon.root(), screen = function() return { kind = "feeds", title = "Inbox" } end,
  },
  ["/list"] = {
    parent = "/feeds", option = moon.push(),
    screen = function(route, state)
      local scope, of = route.params.scope, route.params.of
      local feed = news.feed(state, of)
      return { kind = "list", title = feed and news.title(feed) or titles[scope] or of }
    end,
  },
  ["/article"] = screen("article", "Article"),
  ["/search"] = screen("search", "Search"),
  -- On the whole width, without a border that would be copied, too.
  ["/link"] = {
    option = moon.push { once = true },
    screen = function() return { kind = "link", title = "To copy" } end,
  },
  ["/add"] = form("add", "Add a feed"),
  ["/edit"] = form("edit", "%s"),
  ["/remove"] = form("remove", "Remove %s?"),
  ["/import"] = form("import", "Import feeds"),
  ["/export"] = form("export", "Export feeds"),
  ["/overwrite"] = form("overwrite", "Overwrite it?"),
}

local forms = { add = 1, edit = 1, remove = 1, import = 1, export = 1, overwrite = 1 }

-- A form is left once what it is for has been done; an action of the prompt has none.
local function dismiss(_, _, self)
  local top = self.top()
  if top and forms[top.kind] then return moon.nav.dismiss_to_root() end
end

screens.map_navigation = {
  choose = function(action) return moon.route("/" .. action.payload.form) end,
  show = function(action) return moon.route("/list", action.payload) end,
  -- From one article to the next, going back leads to the list.
  open = function(action, _, self)
    local is_article = self.top() and self.top().kind == "article"
    return moon.route("/article", action.payload, is_article and moon.replace() or moon.push())
  end,
  show_link = function(action) return moon.route("/link", action.payload) end,
  add = dismiss, edit = dismiss, remove = dismiss, ended = dismiss,
}

return screens
