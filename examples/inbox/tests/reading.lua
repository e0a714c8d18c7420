-- What is found in feeds and pages, well-formed or not.
local feed = require "feed"
local html = require "html"
local opml = require "opml"
local xml = require "xml"

local function texts(source)
  local found = {}
  for place, block in ipairs((html.read(source, ""))) do
    found[place] = block.kind .. ": " .. block.text
  end
  return found
end

return {
  ["Atom, with a link among others, and XHTML"] = function(t)
    local read = feed.parse([[<?xml version="1.0"?><!-- c --><feed><title>T</title><entry>
      <title type="html">A &amp;amp; B</title><link rel="edit" href="/e"/><link href="x"/>
      <id>1</id><updated>2025-01-02T03:04:05+01:00</updated>
      <content type="xhtml"><div>Some <b>bold</b> text</div></content></entry></feed>]],
      "https://a.org/b/feed.xml")
    local one = read.articles[1]
    t.equal(one.title, "A & B")
    t.equal(one.link, "https://a.org/b/x")
    t.equal(one.date, 1735783445)
    t.equal(texts(one.html), { "text: Some bold text" })
  end,

  ["RSS 1.0, without dates and guids, and one article twice"] = function(t)
    local item = "<item><title>One</title><link>http://a.org/1</link></item>"
    local read = feed.parse("<rdf:RDF><channel><title>R</title></channel>" .. item .. item
      .. "</rdf:RDF>", "http://a.org/")
    t.equal(#read.articles, 1)
    t.equal(read.articles[1].date, nil)
  end,

  ["feeds that are cut off or in Latin-1 are read as far as they go"] = function(t)
    local read = feed.parse("<rss><channel><title>Caf\xE9</title>"
      .. "<item><title>One & <![CDATA[<two>]]>", "http://a.org/")
    t.equal(read.title, "Café")
    t.equal(read.articles[1].title, "One &")
    local _, problem = feed.parse("", "")
    t.contains(problem, "no feed")
  end,

  ["dates"] = function(t)
    t.equal(feed.date "Tue, 10 Jun 2003 04:00:00 GMT", 1055217600)
    t.equal(feed.date "10 June 2003 04:00 -0130", 1055223000)
    t.equal(feed.date "Tue, 10 Jun 2003 00:00:00 EDT", 1055217600)
    t.equal(feed.date "soon", nil)
    t.equal(feed.date "40 Foo 2003 10:00:00 GMT", nil)
  end,

  ["HTML becomes blocks, whatever isn't closed"] = function(t)
    t.equal(texts "<h2>Head</h2>a<br>b<ul><li>one<li>two</ul><script>if (a<b) {}</script>", {
      "heading: Head", "text: a", "text: b", "item: one", "item: two",
    })
    t.equal(texts "<pre>\n  x\n   y</pre><blockquote>q</blockquote>&#8364;&#x41;&nope;&#0; < 3", {
      "code:   x\n   y", "quote: q", "text: €A&nope; 3",
    })
    local _, links = html.read("<a href='#top'>x</a><a href=//b.org>y</a><img src=\"i.png\">",
      "https://a.org/d/e?f")
    t.equal(links, { "https://b.org", "https://a.org/d/i.png" })
  end,

  ["a list of feeds comes back as it was"] = function(t)
    local feeds = {
      { url = "https://a.org/?x=1&y=2", title = 'A "quoted" <one>', category = "" },
      { url = "https://b.org/", title = "B", category = "Q & A" },
    }
    t.equal(opml.read(opml.write(feeds)), feeds)
    t.equal(opml.read "<rss/>", nil)
  end,

  ["attributes of all kinds"] = function(t)
    local node = xml.parse([[<a B='1' c=2 d e="x>y" f = "&lt;"/>]])[1]
    t.equal(node.attributes, { b = "1", c = "2", d = "", e = "x>y", f = "<" })
  end,
}
