-- Finds feeds and articles in the state. A scope is what a list shows: `unread`, `starred`, `all`,
-- the `feed` of a URL, or the `category` of a name.
local moon = require "moonwire"

local news = {}

-- Names a feed or an article in the storage.
function news.key(text) return moon.crypto.hash(text):sub(1, 16) end
function news.place(url, id) return "text/" .. news.key(url) .. "/" .. id end

function news.title(feed) return feed.title ~= "" and feed.title or feed.url end

function news.feed(state, url)
  for place, feed in ipairs(state.feeds) do
    if feed.url == url then return feed, place end
  end
end

function news.article(feed, id)
  for _, article in ipairs(feed and feed.articles or {}) do
    if article.id == id then return article end
  end
end

-- By category, and by title in each; those without a category come first.
function news.sorted(feeds)
  local sorted = {}
  for place, feed in ipairs(feeds) do sorted[place] = feed end
  local function order(feed)
    return feed.category .. "\0" .. news.title(feed):lower() .. "\0" .. feed.url
  end
  table.sort(sorted, function(a, b) return order(a) < order(b) end)
  return sorted
end

local function each(state, scope, of, visit)
  local is_some = scope == "unread" or scope == "starred"
  for _, feed in ipairs(state.feeds) do
    local is_in = scope == "feed" and feed.url == of or scope == "category" and feed.category == of
      or scope == "all" or is_some
    for _, article in ipairs(is_in and feed.articles or {}) do
      if not is_some or scope == "unread" and not article.is_read
        or scope == "starred" and article.is_starred then
        visit(feed, article)
      end
    end
  end
end

-- How many articles a scope has, and how many of them are unread.
function news.count(state, scope, of)
  local all, unread = 0, 0
  each(state, scope, of, function(_, article)
    all, unread = all + 1, unread + (article.is_read and 0 or 1)
  end)
  return all, unread
end

-- The articles of a scope as `{ feed, article }`, with what they are sorted by, the newest first.
function news.list(state, scope, of)
  local found = {}
  each(state, scope, of, function(feed, article)
    found[#found + 1] = { feed = feed, article = article, date = article.date, id = article.id }
  end)
  table.sort(found, function(a, b)
    if a.date ~= b.date then return a.date > b.date end
    return a.id < b.id
  end)
  return found
end

-- The unread article that follows one in a list, or else the first of the list, or of all.
function news.next_unread(state, scope, of, id)
  local first, is_after
  -- The article is read by now, but what follows it still does.
  scope = scope == "unread" and "all" or scope
  for _, one in ipairs(news.list(state, scope, of)) do
    if not one.article.is_read then
      if is_after then return one end
      first = first or one
    end
    is_after = is_after or one.article.id == id
  end
  return first or scope ~= "all" and news.next_unread(state, "all") or nil
end

return news
