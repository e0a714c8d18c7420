-- Feeds over a network that the test answers for, and what a person does with them.
local url = "https://news.example.org/feed"

local function rss(...)
  local items = {}
  for place, name in ipairs { ... } do
    items[place] = ("<item><title>%s</title><guid>%s</guid><link>/%s</link>"
      .. "<pubDate>%d Jan 2025 10:00:00 GMT</pubDate>"
      .. "<description>&lt;p&gt;About &lt;a href='/more'&gt;%s&lt;/a&gt;&lt;/p&gt;"
      .. "</description></item>"):format(name, name, name, 10 + place, name)
  end
  return "<rss><channel><title>News</title><link>https://news.example.org/</link>"
    .. table.concat(items) .. "</channel></rss>"
end

local function answer(t, text, headers)
  t.answer("http.get", { status = 200, ok = true, text = text, headers = headers or {} })
end

local function feed(t) return t.state("inbox.feeds")[1] end
local function screen(t) return table.concat(t.screen().lines, "\n") end

return {
  setup = function(t)
    t.advance(0)
    t.press "a"
    t.input { url = "news.example.org/feed", category = "World" }
    t.press "ctrl+s"
    t.equal(t.call("http.get").arguments.url, url)
    answer(t, rss("one", "two"), { etag = '"1"', ["last-modified"] = "Mon, 13 Jan 2025" })
    t.advance(0)
  end,

  ["a feed is listed with what is unread, below its category"] = function(t)
    t.equal(t.screen().kind, "feeds")
    t.equal(feed(t).title, "News")
    t.contains(screen(t), "2/2  # World")
    t.contains(screen(t), "2/2  News")
  end,

  ["n reads one after the other, the newest first, with its links"] = function(t)
    t.press "n"
    t.contains(screen(t), "two")
    t.contains(screen(t), "About two [1]")
    t.contains(screen(t), "[1] https://news.example.org/more")
    t.press "n"
    t.contains(screen(t), "About one [1]")
    t.press "n"
    t.equal(t.state "inbox.said", "All is read.")
    t.back()
    t.equal(t.screen().kind, "feeds")
  end,

  ["o and y show the whole link"] = function(t)
    t.press "n"
    t.press "o"
    t.equal(t.screen().kind, "link")
    t.contains(screen(t), "https://news.example.org/two")
    t.back()
    t.press "y"
    t.equal(t.screen().kind, "link")
    t.back()
    t.equal(t.screen().kind, "article")
  end,

  ["marks and stars act on the row, and are undone"] = function(t)
    t.press("l", 4)
    t.press("m", 1)
    t.press("s", 2)
    t.ok(feed(t).articles[2].is_read and feed(t).articles[1].is_starred)
    t.press "A"
    t.ok(feed(t).articles[1].is_read)
    t.refused("inbox/mark_all", { scope = "all", of = "" }, "read already")
    for _ = 1, 3 do t.press "u" end
    t.ok(not feed(t).articles[1].is_read and not feed(t).articles[2].is_read)
    t.ok(not feed(t).articles[1].is_starred)
    t.refused("inbox/undo", {}, "no marks or stars")
  end,

  ["what hasn't changed isn't sent again, and marks stay"] = function(t)
    t.press "n"
    t.back()
    t.press "R"
    local headers = t.call("http.get").arguments.headers
    t.equal(headers["If-None-Match"], '"1"')
    t.equal(headers["If-Modified-Since"], "Mon, 13 Jan 2025")
    t.answer("http.get", { status = 304, ok = false, headers = {} })
    t.equal(#feed(t).articles, 2)
    t.advance(31 * 60)
    answer(t, rss("two", "three"))
    t.equal(#feed(t).articles, 3)
    t.ok(feed(t).articles[1].is_read and not feed(t).articles[2].is_read)
  end,

  ["a failure is shown beside the feed, and tried later and later"] = function(t)
    t.press("r", 5)
    t.fail("http.get", "timed_out", "late")
    t.contains(screen(t), "! the server took too long")
    t.equal(feed(t).failures, 1)
    t.advance(50 * 60)
    t.equal(#feed(t).articles, 2)
    t.advance(12 * 60)
    t.answer("http.get", { status = 503, ok = false, headers = { ["retry-after"] = "80000" } })
    t.contains(feed(t).problem, "503")
    t.advance(70000)
    t.equal(feed(t).failures, 2)
    t.advance(11000)
    answer(t, "<html><body>Log in</body></html>")
    t.contains(feed(t).problem, "web page")
    t.press("r", 5)
    answer(t, rss "four")
    t.equal(feed(t).problem, "")
  end,

  ["of a feed in one's own network, it is said how to permit it"] = function(t)
    t.dispatch("inbox/add", { url = "http://192.168.1.5:8080/feed" })
    t.fail("http.get", "not_granted", "no")
    t.contains(t.state("inbox.feeds")[2].problem, "--allow net:192.168.1.5")
    t.press("R")
    t.fail("http.get", "not_granted", "no")
    t.fail("http.get", "not_needed", "no")
    t.contains(feed(t).problem, "--allow net:*")
    t.contains(t.state("inbox.feeds")[2].problem, "192.168.* and 10.* can be fetched")
  end,

  ["the search finds with each letter, also in texts"] = function(t)
    t.press "/"
    t.input { text = "about tw" }
    t.advance(0.2)
    t.contains(screen(t), "1 found")
    t.input { text = "about twx" }
    t.advance(0.2)
    t.contains(screen(t), "0 found")
    t.input { text = "about tw" }
    t.advance(0.2)
    t.tap(1)
    t.equal(t.screen().kind, "article")
  end,

  ["of many that are found, those are drawn that are seen"] = function(t)
    local names = {}
    for place = 1, 310 do names[place] = "many" .. place end
    t.press("r", 5)
    answer(t, rss(table.unpack(names)))
    t.dispatch("inbox/search", { text = "many" })
    t.advance(0.2)
    t.equal(#t.state "inbox.search.found", 310)
    t.press "/"
    t.contains(screen(t), "310 found")
    t.contains(screen(t), "290 below")
    t.scroll("articles", 301)
    t.contains(screen(t), "290 above")
    t.tap(310)
    t.equal(t.screen().kind, "article")
  end,

  ["a feed whose title is emptied gets its own again"] = function(t)
    t.dispatch("inbox/edit", { url = url, title = " ", category = "" })
    t.press("r", 4)
    t.equal(t.call("http.get").arguments.headers["If-None-Match"], nil)
    answer(t, rss "one")
    t.equal(feed(t).title, "News")
  end,

  ["wrong addresses are refused, and those that are there"] = function(t)
    t.refused("inbox/add", { url = "ftp://x.org" }, "begins with https://")
    t.refused("inbox/add", { url = "a b" }, "no blanks")
    t.refused("inbox/add", { url = " " .. url }, "there already")
    t.refused("inbox/mark", { url = url, id = "none" }, "Move to an article")
  end,

  ["a feed is renamed, moved and, after a question, removed"] = function(t)
    t.press("e", 5)
    t.input { title = "Mine", category = "" }
    t.press "ctrl+s"
    t.contains(screen(t), "2/2  Mine")
    t.press("d", 4)
    t.equal(t.screen().title, "Remove Mine?")
    t.tap "Keep it"
    t.equal(#t.state "inbox.feeds", 1)
    t.press("d", 4)
    t.tap "Remove"
    t.equal(#t.state "inbox.feeds", 0)
    t.equal(t.state "inbox.kept", {})
  end,

  ["a list is exported, but over another file only after a question"] = function(t)
    t.press "E"
    t.press "ctrl+s"
    t.answer("files.exists", true)
    t.equal(t.screen().kind, "overwrite")
    t.tap "Overwrite"
    t.equal(t.call("files.make_directory").arguments.path, "lists")
    t.answer("files.make_directory")
    local call = t.call "files.write"
    t.contains(call.arguments.data, 'text="News" xmlUrl="' .. url .. '"')
    t.answer(call)
    t.equal(t.screen().kind, "feeds")
    t.contains(t.state "inbox.said", "Exported to lists/feeds.opml: 1")
  end,

  ["a list is imported, without what is there"] = function(t)
    t.press "I"
    t.press "ctrl+s"
    t.answer("files.read", "no list")
    t.contains(screen(t), "isn't OPML")
    t.back()
    t.press "I"
    t.ok(not screen(t):find "isn't OPML")
    t.press "ctrl+s"
    t.answer("files.read", '<opml><body><outline text="Q &amp; A">'
      .. '<outline text="B" xmlUrl="https://b.org/"/></outline>'
      .. '<outline xmlUrl="' .. url .. '"/></body></opml>')
    t.equal(t.state("inbox.feeds")[2].category, "Q & A")
    t.contains(t.state "inbox.said", "Imported 1 of 2")
    answer(t, rss "b")
  end,
}
