-- Fetches feeds: some at a time, what has changed only, and those that fail later and later.
local moon = require "moonwire"
local html = require "html"
local news = require "news"
local reader = require "feed"

local at_a_time, bytes_max, text_max, longest_wait = 4, 4 << 20, 60000, 24 * 3600

local reasons = {
  name_not_found = "there is no such server: e shows the address",
  connection_refused = "the server doesn't answer", timed_out = "the server took too long",
  not_needed = "in a private network, localhost, 192.168.* and 10.* can be fetched",
  [404] = "there is no such feed: e shows the address", [429] = "asked too often",
  [410] = "the feed has ended: d removes it",
}

-- `net:*` doesn't include private addresses, which are granted by name.
local function reason(url, problem)
  if problem.code ~= "not_granted" then return reasons[problem.code] or tostring(problem) end
  local host = url:match "^%a+://([^/:]+)" or ""
  local is_private = host == "localhost" or host:find "^192%.168%." or host:find "^10%."
  return "not permitted: run with --allow net:" .. (is_private and host or "*")
end

local network = {}

-- After a failure, twice as long as the time before, and as long as the server asks for.
local function checked(self, url, problem, asked)
  local feed = news.feed(self.state "inbox", url)
  local wait = self.settings.minutes * 60
  if feed and problem then wait = wait * 2 ^ math.min(feed.failures + 1, 10) end
  wait = math.min(math.max(wait, tonumber(asked) or 0), longest_wait)
  self.dispatch("checked", {
    url = url, problem = problem or "", next_at = math.floor(moon.time.now() + wait),
  })
end

-- The blocks of an article, as many as a screen has room for.
local function content(article)
  local blocks, links = html.read(article.html, article.base)
  local size, kept = 0, moon.list()
  for place, block in ipairs(blocks) do
    size = size + #block.text
    if size > text_max then block = { kind = "text", text = "(The rest is left out.)" } end
    kept[place] = block
    if size > text_max then break end
  end
  return { title = article.title, blocks = kept, links = moon.list(links) }
end

-- Texts are stored before their articles are listed, so that what is listed can be read. Returns
-- what is wrong, if anything is.
function network.receive(self, url, text, etag, modified)
  local read, problem = reader.parse(text, url)
  if not read then return problem end
  local known, articles, texts = {}, moon.list(), {}
  local now = math.floor(moon.time.now())
  local feed = news.feed(self.state "inbox", url)
  if not feed then return end
  for _, article in ipairs(feed.articles) do known[article.id] = true end
  for place, article in ipairs(read.articles) do
    local id = news.key(article.guid)
    if not known[id] then texts[news.place(url, id)] = content(article) end
    -- Without dates, the order of the feed counts.
    articles[place] = {
      id = id, title = article.title, link = article.link, date = article.date or now - place,
      is_read = false, is_starred = false,
    }
  end
  if next(texts) then
    moon.storage.transaction(function(t)
      for place, one in pairs(texts) do t:set(place, one) end
    end)
  end
  self.dispatch("received", {
    url = url, title = read.title, articles = articles, etag = etag or "",
    modified = modified or "", keep = self.settings.keep,
  })
end

local function fetch(self, url)
  local feed = news.feed(self.state "inbox", url)
  if not feed then return end
  local answer = moon.http.get(url, {
    accept = "text", timeout = 20, max_bytes = bytes_max, headers = {
      ["If-None-Match"] = feed.etag ~= "" and feed.etag or nil,
      ["If-Modified-Since"] = feed.modified ~= "" and feed.modified or nil,
    },
  })
  local fields = answer.headers or {}
  if answer.ok then
    local text = answer.text
    checked(self, url, network.receive(self, url, text, fields.etag, fields["last-modified"]))
  elseif answer.status == 304 then
    checked(self, url)
  else
    local problem = reasons[answer.status] or "the server says " .. answer.status
    checked(self, url, problem, fields["retry-after"])
  end
end

-- Each feed is fetched once in a run, whatever comes of it.
local function next_due(state, is_taken)
  local url, count, now = nil, 0, moon.time.now()
  for _, feed in ipairs(state.feeds) do
    if feed.next_at <= now and not is_taken[feed.url] then
      url, count = url or feed.url, count + 1
    end
  end
  return url, count
end

-- What is wrong with one is no problem of the others. Feeds that become due meanwhile, as one that
-- is added, are fetched, too.
function network.refresh(_, self)
  local workers, is_taken = {}, {}
  for worker = 1, at_a_time do
    workers[worker] = function()
      local url, count = next_due(self.state "inbox", is_taken)
      while url do
        is_taken[url] = true
        self.dispatch("refreshing", { left = count })
        local done, problem = pcall(fetch, self, url)
        if not done then checked(self, url, reason(url, problem)) end
        url, count = next_due(self.state "inbox", is_taken)
      end
    end
  end
  moon.all(workers)
  if next(is_taken) then self.dispatch("refreshing", { left = 0 }) end
end

return network
