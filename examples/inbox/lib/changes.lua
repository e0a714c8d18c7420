-- The reducers. A feed whose revision has changed is written to the storage.
local moon = require "moonwire"
local news = require "news"

local undo_max = 50

local changes = {}

local function changed(feed) feed.revision = feed.revision + 1 end

local function trimmed(text) return text and text:match "^%s*(.-)%s*$" or "" end

local function wanted(state, url)
  local feed, place = news.feed(state, url)
  if not feed then moon.refuse "Move to a feed first" end
  return feed, place
end

local function say(state, text, is_problem)
  state.said, state.is_problem = text, is_problem or false
end

function changes.ended(state, payload) say(state, payload.text) end
function changes.failed(state, payload) say(state, payload.text, true) end

-- What went wrong with a file before is no problem of the next try.
function changes.choose(state) say(state, "") end
changes.import, changes.export = changes.choose, changes.choose

function changes.loaded(state, payload)
  state.is_ready, state.feeds = true, payload.feeds
  for _, feed in ipairs(state.feeds) do state.kept[feed.url] = feed.revision end
end

function changes.kept(state, payload) state.kept[payload.url] = payload.revision end

function changes.add(state, payload)
  if not state.is_ready then moon.refuse "Wait until the feeds have been read" end
  local url = trimmed(payload.url)
  if not url:find "^%a+://" then url = "https://" .. url end
  if not url:find "^https?://[^%s/]+%S*$" then
    moon.refuse "The address of a feed begins with https:// or http://, and has no blanks"
  end
  if news.feed(state, url) then moon.refuse "This feed is there already" end
  table.insert(state.feeds, {
    url = url, title = trimmed(payload.title), category = trimmed(payload.category),
    articles = moon.list(), etag = "", modified = "",
    problem = "", failures = 0, next_at = 0, revision = 1,
  })
  say(state, "Added " .. url)
end

function changes.edit(state, payload)
  local feed = wanted(state, payload.url)
  feed.title, feed.category = trimmed(payload.title), trimmed(payload.category)
  -- Only a feed that is sent again has its own title.
  if feed.title == "" then feed.etag, feed.modified = "", "" end
  changed(feed)
end

function changes.remove(state, payload)
  local feed, place = wanted(state, payload.url)
  say(state, "Removed " .. news.title(feed))
  table.remove(state.feeds, place)
end

-- An article that is known keeps its marks. Of those that the feed doesn't have any more, the
-- oldest go, unless they are starred.
function changes.received(state, payload)
  local feed = news.feed(state, payload.url)
  if not feed then return end
  local known, articles = {}, moon.list()
  for _, article in ipairs(feed.articles) do known[article.id] = article end
  for _, article in ipairs(payload.articles) do
    table.insert(articles, known[article.id] or article)
    known[article.id] = nil
  end
  for _, article in ipairs(feed.articles) do
    if known[article.id] and (#articles < payload.keep or article.is_starred) then
      table.insert(articles, article)
    end
  end
  feed.articles = articles
  feed.title = feed.title ~= "" and feed.title or payload.title
  feed.etag, feed.modified = payload.etag, payload.modified
  changed(feed)
end

-- After each attempt, whether it brought something or not.
function changes.checked(state, payload)
  local feed = news.feed(state, payload.url)
  if not feed then return end
  feed.problem, feed.next_at = payload.problem, payload.next_at
  feed.failures = payload.problem == "" and 0 or feed.failures + 1
  changed(feed)
end

-- What is to be refreshed is due at once.
function changes.refresh(state, payload)
  for _, feed in ipairs(state.feeds) do
    if payload.is_forced then feed.next_at = 0 end
  end
end

function changes.refresh_one(state, payload) wanted(state, payload.of).next_at = 0 end

function changes.refreshing(state, payload) state.left = payload.left end

local function set(state, entries, field, value, text)
  local undone = moon.list()
  for _, entry in ipairs(entries) do
    if entry.article[field] ~= value then
      table.insert(undone, { url = entry.feed.url, id = entry.article.id })
      entry.article[field] = value
      changed(entry.feed)
    end
  end
  if #undone == 0 then moon.refuse "All of it is read already" end
  table.insert(state.done, { articles = undone, field = field, was = not value, text = text })
  if #state.done > undo_max then table.remove(state.done, 1) end
  say(state, ("%s: %d  (u: undo)"):format(text, #undone))
end

local function entry_of(state, payload)
  local feed = news.feed(state, payload.url)
  local article = news.article(feed, payload.id)
  if not article then moon.refuse "Move to an article first" end
  return { feed = feed, article = article }
end

-- Opening isn't something to undo: `m` makes it unread again.
function changes.open(state, payload)
  local entry = entry_of(state, payload)
  if not entry.article.is_read then changed(entry.feed) end
  entry.article.is_read = true
  state.reading = nil
  say(state, "")
end

function changes.was_read(state, payload) state.reading = payload end

function changes.mark(state, payload)
  local entry = entry_of(state, payload)
  local value = not entry.article.is_read
  set(state, { entry }, "is_read", value, value and "Marked as read" or "Marked as unread")
end

function changes.star(state, payload)
  local entry = entry_of(state, payload)
  local value = not entry.article.is_starred
  set(state, { entry }, "is_starred", value, value and "Starred" or "Took stars away")
end

function changes.mark_all(state, payload)
  local entries = news.list(state, payload.scope, payload.of)
  set(state, entries, "is_read", true, "Marked as read")
end

function changes.undo(state)
  local last = table.remove(state.done)
  if not last then moon.refuse "There are no marks or stars to undo" end
  local is_marked = {}
  for _, one in ipairs(last.articles) do is_marked[one.url .. " " .. one.id] = true end
  for _, feed in ipairs(state.feeds) do
    for _, article in ipairs(feed.articles) do
      if is_marked[feed.url .. " " .. article.id] then
        article[last.field] = last.was
        changed(feed)
      end
    end
  end
  say(state, "Undone: " .. last.text)
end

function changes.search(state, payload)
  state.search = { text = payload.text, found = moon.list(), count = 0 }
end

function changes.found(state, payload)
  if payload.text == state.search.text then state.search = payload end
end

return changes
