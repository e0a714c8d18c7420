-- Makes HTML readable: paragraphs of text, with the numbers of links, as in `this [1]`.
local xml = require "xml"

local html = {}

local kinds = { li = "item", blockquote = "quote", pre = "code" }
for level = 1, 6 do kinds["h" .. level] = "heading" end
local breaks = {}
for name in ("p div br hr ul ol dl dt dd table tr section figure figcaption"):gmatch "%S+" do
  breaks[name] = true
end

function html.absolute(url, base)
  local origin = base:match "^%a+://[^/?#]*"
  if url == "" or url:find "^%a[%w+.-]*:" or not origin then return url end
  if url:sub(1, 2) == "//" then return base:match "^%a+:" .. url end
  if url:sub(1, 1) == "/" then return origin .. url end
  return origin .. (base:sub(#origin + 1):match "^[^?#]*/" or "/") .. url
end

-- Returns a list of `{ kind, text }`, where kind is text, heading, item, quote or code, and the
-- URLs of the links.
function html.read(source, base)
  for _, name in ipairs { "[sS][cC][rR][iI][pP][tT]", "[sS][tT][yY][lL][eE]" } do
    source = source:gsub("<" .. name .. "[%s>].-</" .. name .. "%s*>", "")
  end
  local blocks, links, parts, kind, link = {}, {}, {}, "text", nil
  local function finish(next_kind)
    local text = table.concat(parts)
    if kind ~= "code" then text = text:gsub("%s+", " "):gsub("^ ", "") end
    text = text:gsub("^\n", ""):gsub("%s+$", "")
    if text ~= "" then blocks[#blocks + 1] = { kind = kind, text = text } end
    parts, kind = {}, next_kind
  end
  local function refer(url)
    links[#links + 1] = html.absolute(url, base)
    parts[#parts + 1] = (" [%d]"):format(#links)
  end
  xml.each(source, {
    open = function(name, attributes)
      if kinds[name] then finish(kinds[name])
      elseif name == "br" and kind == "code" then parts[#parts + 1] = "\n"
      elseif breaks[name] then finish(kind)
      elseif name == "a" then link = attributes.href
      elseif name == "img" and attributes.src then
        local alt = attributes.alt or ""
        parts[#parts + 1] = alt == "" and "(picture)" or "(picture: " .. alt .. ")"
        refer(attributes.src)
      end
    end,
    close = function(name)
      if kinds[name] then finish "text"
      elseif breaks[name] and name ~= "br" then finish(kind)
      elseif name == "a" and link then
        if link:sub(1, 1) ~= "#" then refer(link) end
        link = nil
      end
    end,
    text = function(text) parts[#parts + 1] = text end,
  })
  finish "text"
  return blocks, links
end

return html
