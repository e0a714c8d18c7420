-- The storage: a key for each feed with its list of articles, and one for the text of each article.
local moon = require "moonwire"
local news = require "news"

local keeping = {}

-- Goes through all pages of `moon.storage.list` or `moon.storage.keys`.
local function all(list, prefix)
  local page, place, after = {}, 0, nil
  return function()
    place = place + 1
    if not page[place] and after ~= false then
      page, after = list(prefix, { after = after, limit = 1000 })
      place, after = 1, after or false
    end
    return page[place]
  end
end

-- Deletes the texts of articles that no feed lists any more. Only a start does: later, a text may
-- be there before its article is.
local function sweep(feeds)
  local is_listed = {}
  for _, feed in ipairs(feeds) do
    for _, article in ipairs(feed.articles) do
      is_listed[news.place(feed.url, article.id)] = true
    end
  end
  for key in all(moon.storage.keys, "text/") do
    if not is_listed[key] then moon.storage.delete(key) end
  end
end

function keeping.load(_, self)
  local feeds = moon.list()
  for entry in all(moon.storage.list, "feed/") do feeds[#feeds + 1] = entry.value end
  sweep(feeds)
  self.dispatch("loaded", { feeds = feeds })
  self.dispatch("refresh", {})
end

-- A feed that differs from what was written last, or the URL of one that was removed.
local function unsaved(state)
  for _, feed in ipairs(state.feeds) do
    if state.kept[feed.url] ~= feed.revision then return feed.url, feed, feed.revision end
  end
  for url in pairs(state.kept) do
    if not news.feed(state, url) then return url end
  end
end

-- What changes while it writes is written by its next turn.
local function write(self)
  local url, feed, revision = unsaved(self.state "inbox")
  while url do
    local key = news.key(url)
    if feed then
      moon.storage.set("feed/" .. key, feed)
    else
      moon.storage.delete("feed/" .. key)
      moon.storage.clear("text/" .. key .. "/")
    end
    self.dispatch_and_wait("kept", { url = url, revision = revision })
    url, feed, revision = unsaved(self.state "inbox")
  end
end

keeping.keep = {
  policy = "queue",
  run = function(_, self)
    local done, problem = pcall(write, self)
    if not done then
      self.dispatch("failed", { text = "This couldn't be kept: " .. tostring(problem) })
    end
  end,
}

function keeping.read(payload, self)
  local kept = moon.storage.get(news.place(payload.url, payload.id)) or {}
  self.dispatch("was_read", {
    id = payload.id, blocks = kept.blocks or moon.list(), links = kept.links or moon.list(),
  })
end

local function has(kept, words)
  local parts = { kept.title }
  for _, block in ipairs(kept.blocks) do parts[#parts + 1] = block.text end
  local text = table.concat(parts, "\n"):lower()
  for word in words:lower():gmatch "%S+" do
    if not text:find(word, 1, true) then return false end
  end
  return true
end

-- All words must be in the title or the text.
function keeping.search(_, self)
  local text, is_found = self.state "inbox.search.text", {}
  local found, count = moon.list(), 0
  if not text:find "%S" then return end
  for entry in all(moon.storage.list, "text/") do is_found[entry.key] = has(entry.value, text) end
  for _, one in ipairs(news.list(self.state "inbox", "all")) do
    if is_found[news.place(one.feed.url, one.article.id)] then
      count = count + 1
      found[count] = { url = one.feed.url, id = one.article.id }
    end
  end
  self.dispatch("found", { text = text, found = found, count = count, is_ready = true })
end

return keeping
