-- Lists of feeds that readers exchange. A group of outlines is a category.
local xml = require "xml"

local opml = {}

local function collect(node, category, feeds)
  for _, one in ipairs(node) do
    local title, url = one.attributes.title or one.attributes.text or "", one.attributes.xmlurl
    if url then feeds[#feeds + 1] = { url = url, title = title, category = category } end
    collect(one, not url and title ~= "" and title or category, feeds)
  end
  return feeds
end

-- A list of `{ url, title, category }`, or nothing if it isn't OPML.
function opml.read(text)
  local top = xml.child(xml.parse(text), "opml")
  return top and collect(top, "", {})
end

local signs = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }
local function encode(text) return (text:gsub('[&<>"]', signs)) end

-- Of feeds that are sorted by their categories.
function opml.write(feeds)
  local lines, category = { '<opml version="2.0"><head><title>Feeds</title></head><body>' }, ""
  local function turn(to)
    if to == category then return end
    if category ~= "" then lines[#lines + 1] = "</outline>" end
    if to ~= "" then lines[#lines + 1] = ('<outline text="%s">'):format(encode(to)) end
    category = to
  end
  for _, feed in ipairs(feeds) do
    turn(feed.category)
    lines[#lines + 1] = ('<outline type="rss" text="%s" xmlUrl="%s"/>'):format(
      encode(feed.title), encode(feed.url))
  end
  turn ""
  return table.concat(lines, "\n") .. "\n</body></opml>\n"
end

return opml
