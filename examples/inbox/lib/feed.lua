-- Reads a feed: RSS of all versions, and Atom.
local moon = require "moonwire"
local html = require "html"
local xml = require "xml"

local feed = {}

local months = {}
for number, name in ("1jan2feb3mar4apr5may6jun7jul8aug9sep10oct11nov12dec"):gmatch "(%d+)(%a+)" do
  months[name] = tonumber(number)
end
local zones = { EST = -5, EDT = -4, CST = -6, CDT = -5, MST = -7, MDT = -6, PST = -8, PDT = -7 }

-- The seconds since 1970, or nothing if nobody can tell. RSS has `Tue, 10 Jun 2003 04:00:00 GMT`.
function feed.date(text)
  local offset = 0
  local day, month, year, clock, zone = text:match "(%d+)%s+(%a+)%s+(%d%d%d%d)%s+([%d:]+)%s*(%S*)"
  if day then
    local sign, hours, minutes = zone:match "^([+-])(%d%d):?(%d%d)$"
    offset = sign and tonumber(sign .. "1") * (hours * 60 + minutes) * 60
      or (zones[zone] or 0) * 3600
    clock = #clock < 6 and clock .. ":00" or clock
    text = ("%s-%02d-%02dT%sZ"):format(year, months[month:sub(1, 3):lower()] or 0, day, clock)
  end
  local done, time = pcall(moon.time.parse, text)
  return done and math.floor(time - offset) or nil
end

local function text_of(node, ...)
  local found = xml.child(node, ...)
  return found and found.text:match "^%s*(.-)%s*$" or ""
end

-- Titles may have HTML, too.
local function title_of(node)
  local texts = {}
  local blocks = html.read(text_of(node, "title"), "")
  for place, block in ipairs(blocks) do texts[place] = block.text end
  return table.concat(texts, " ")
end

-- Atom has the link in an attribute, RSS in a text.
local function link_of(node)
  for _, one in ipairs(node) do
    if one.name == "link" and (one.attributes.rel or "alternate") == "alternate" then
      return one.attributes.href or one.text:match "^%s*(.-)%s*$"
    end
  end
  return text_of(node, "guid"):match "^https?://.*" or ""
end

local function article(node, base)
  local link, title = html.absolute(link_of(node), base), title_of(node)
  local guid = text_of(node, "guid", "id")
  local content = xml.child(node, "content:encoded", "content", "description", "summary")
  local date = text_of(node, "pubdate", "published", "dc:date", "updated")
  return {
    -- A feed may not tell its articles apart; a link and a title do.
    guid = guid ~= "" and guid or link .. " " .. title,
    title = title ~= "" and title or "(no title)", link = link, date = feed.date(date),
    -- What the addresses in the text are relative to.
    base = link ~= "" and link or base,
    html = content and content[content.attributes.type == "xhtml" and "source" or "text"] or "",
  }
end

-- `{ title, articles }`, or nothing and what is wrong.
function feed.parse(text, url)
  local root = xml.parse(text)
  local top = xml.child(root, "rss", "rdf:rdf", "feed")
  if not top then
    return nil, xml.child(root, "html") and "this is a web page: look there for the feed's address"
      or "this is no feed (neither RSS nor Atom)"
  end
  local head, articles, seen = xml.child(top, "channel") or top, {}, {}
  local link = link_of(head)
  local base = link ~= "" and html.absolute(link, url) or url
  -- RSS 1.0 has its articles beside the channel.
  for _, place in ipairs { head, top } do
    for _, node in ipairs(place) do
      local one = (node.name == "item" or node.name == "entry") and article(node, base)
      if one and not seen[one.guid] then articles[#articles + 1] = one end
      if one then seen[one.guid] = true end
    end
  end
  return { title = title_of(head), articles = articles }
end

return feed
