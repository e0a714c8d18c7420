-- The feeds, a list of articles, an article, and the search.
local moon = require "moonwire"
local lines = require "lines"
local news = require "news"
local ui = moon.ui
local line, row = lines.line, lines.row

local views = {}

local function scope_row(title, scope, of, unread, all, note, is_problem)
  local count = unread > 0 and unread .. "/" .. all or tostring(all)
  return row({
    { (" "):rep(9 - #count) .. count, subtle = true },
    { title, weight = unread > 0 and "bolder" or nil },
    { note or "", width = "stretch", color = is_problem and "attention" or nil },
  }, "show", { scope = scope, of = of })
end

local function feed_rows(state)
  local rows, category = {}, ""
  for _, feed in ipairs(news.sorted(state.feeds)) do
    if feed.category ~= category then
      category = feed.category
      local all, unread = news.count(state, "category", category)
      rows[#rows + 1] = ui.container {
        scope_row("# " .. category, "category", category, unread, all), spacing = "medium",
      }
    end
    local all, unread = news.count(state, "feed", feed.url)
    local note = feed.problem ~= "" and "! " .. feed.problem or feed.next_at == 0 and "…" or nil
    rows[#rows + 1] = scope_row(
      lines.cut(news.title(feed), 32), "feed", feed.url, unread, all, note, feed.problem ~= "")
  end
  return rows
end

-- What keys do that don't act on a row.
local function actions(scope, of)
  return ui.actions {
    ui.button("Next unread", "next_unread", { scope = scope, of = of }),
    ui.button("All read", "mark_all", { scope = scope, of = of }),
  }
end

-- They are below the text: Space pages to them, and then goes on to the next article.
local function article_actions(params, article)
  local data = { url = params.url, id = article.id }
  return ui.actions {
    ui.button("Next unread", "next_unread",
      { scope = params.scope, of = params.of, id = article.id }),
    ui.button(article.is_starred and "Take the star away" or "Star", "star", data, { id = "star" }),
    ui.button(article.is_read and "Unread" or "Read", "mark", data, { id = "mark" }),
    article.link ~= "" and ui.button("Link", "show_link", { url = article.link }, { id = "link" }),
  }
end

function views.feeds(_, state)
  if not state.is_ready then return "Reading what was kept …" end
  if #state.feeds == 0 then
    return { lines.said(state), "No feeds yet: a adds one by its address, I imports a list." }
  end
  local all, unread = news.count(state, "all")
  return {
    lines.said(state),
    scope_row("Unread", "unread", "", unread, unread),
    scope_row("Starred", "starred", "", 0, (news.count(state, "starred"))),
    scope_row("All articles", "all", "", unread, all),
    ui.container { feed_rows(state), spacing = "medium" },
    actions("all", ""),
  }
end

-- Of thousands of articles, only those that are seen are drawn.
local function article_rows(found, scope, of, self)
  -- Each has one line: what stands beside the title leaves it so much room.
  local columns = self.size() or 80
  local width = math.max(20, columns - (scope == "feed" and 21 or 38))
  return ui.list(found, function(one)
    local feed, article = one.feed, one.article
    return row({
      { article.is_read and "·" or "●", color = "warning" },
      { moon.time.utc(article.date):sub(1, 10), subtle = true },
      { lines.cut((article.is_starred and "★ " or "") .. article.title, width), width = "stretch",
        weight = not article.is_read and "bolder" or nil },
      scope ~= "feed" and { lines.cut(news.title(feed), 16), subtle = true } or nil,
    }, "open", { url = feed.url, id = article.id, scope = scope, of = of })
  end, { id = "articles", rows = self.visible_rows, spacing = "none" })
end

function views.list(screen, state, self)
  local scope, of = screen.params.scope, screen.params.of
  local feed, found = news.feed(state, of), news.list(state, scope, of)
  return {
    feed and feed.problem ~= "" and line("! " .. feed.problem, { color = "attention" }),
    lines.said(state),
    #found == 0 and line(scope == "unread" and "All is read." or "Nothing here yet."),
    article_rows(found, scope, of, self),
    actions(scope, of),
  }
end

function views.article(screen, state, self)
  local params, reading, width = screen.params, state.reading, self.settings.width
  local feed = news.feed(state, params.url)
  local article = news.article(feed, params.id)
  if not article then return "This article isn't there any more." end
  if not reading or reading.id ~= article.id then return "Reading …" end
  local marks = (article.is_starred and " · ★" or "") .. (article.is_read and "" or " · unread")
  local date = moon.time.utc(article.date):sub(1, 16):gsub("T", " ")
  return {
    line(lines.wrapped(article.title, width), { weight = "bolder" }),
    line(news.title(feed) .. " · " .. date .. marks, { subtle = true }),
    article.link ~= "" and line(article.link, { color = "accent" }),
    state.said ~= "" and lines.said(state),
    #reading.blocks == 0 and line "The feed has no text for this article.",
    ui.list(reading.blocks, function(block) return lines.block(block, width) end),
    ui.list(reading.links, function(link, place)
      return line(("[%d] %s"):format(place, link), { subtle = true })
    end, { spacing = "medium" }),
    article_actions(params, article),
  }
end

function views.search(_, state, self)
  local search, found = state.search, {}
  for _, one in ipairs(search.found) do
    local feed = news.feed(state, one.url)
    local article = news.article(feed, one.id)
    if article then found[#found + 1] = { feed = feed, article = article } end
  end
  local note = not search.text:find "%S" and "Type words that are in the title or the text."
    or search.is_ready and search.count .. " found" or "Searching …"
  return {
    ui.input {
      id = "text", label = "Search", value = search.text, changed = "search", focus = true,
    },
    line(note, { subtle = true }),
    article_rows(found, "all", "", self),
  }
end

return views
