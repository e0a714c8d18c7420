-- Reads XML and HTML as they are found: what isn't well-formed is text, or is left out.
local xml = {}

local named = { nbsp = " " }
for name, sign in ([[amp=& lt=< gt=> quot=" apos=' auml=ä ouml=ö uuml=ü Auml=Ä Ouml=Ö Uuml=Ü szlig=ß
  eacute=é egrave=è ecirc=ê agrave=à aacute=á ccedil=ç ntilde=ñ oslash=ø aring=å ndash=– mdash=—
  lsquo=‘ rsquo=’ ldquo=“ rdquo=” bdquo=„ laquo=« raquo=» hellip=… bull=• middot=· copy=© reg=®
  trade=™ euro=€ deg=° times=× rarr=→]]):gmatch "(%w+)=(%S+)" do
  named[name] = sign
end

function xml.decode(text)
  return (text:gsub("&(#?)(%w+);", function(number, name)
    if number == "" then return named[name] end
    local code = tonumber((name:gsub("^[xX]", "0x")))
    local is_character = code and code > 0 and code <= 0x10FFFF and code // 0x800 ~= 27
    return is_character and utf8.char(code) or ""
  end))
end

-- The state holds UTF-8 only. What isn't UTF-8 is nearly always Latin-1.
local function as_utf8(text)
  if utf8.len(text) then return text end
  return (text:gsub("[\128-\255]", function(sign) return utf8.char(sign:byte()) end))
end

local function attributes_at(text, place)
  local attributes = {}
  while true do
    local slash, after = text:match("^%s*(/?)>()", place)
    if after then return attributes, after, slash == "/" end
    local name, rest = text:match("^[%s/]*([^%s=/>]+)()", place)
    if not name then return attributes, #text + 1 end
    local quote, begin = text:match("^%s*=%s*([\"']?)()", rest)
    local value
    if quote == "" then value, rest = text:match("^([^%s>]*)()", begin)
    elseif quote then
      value, rest = text:match("^([^" .. quote .. "]*)" .. quote .. "?()", begin)
    end
    attributes[name:lower()] = xml.decode(value or "")
    place = rest
  end
end

-- The place after a comment, a declaration or an instruction.
local function skipped(text, at)
  return text:match("^<!%-%-.-%-%->()", at) or text:match("^<%?.-%?>()", at)
    or text:match("^<!%a[^>%[]*%b[]%s*>()", at) or text:match("^<!%a[^>]*>()", at)
end

-- Calls `on.open(name, attributes, place after the tag)`, `on.close(name, place of the tag)` and
-- `on.text(text)`.
function xml.each(text, on)
  local place = 1
  while place <= #text do
    local at = text:find("<", place, true) or #text + 1
    if at > place then on.text(xml.decode(text:sub(place, at - 1))) end
    local data, after_data = text:match("^<!%[CDATA%[(.-)%]%]>()", at)
    local closed, after = text:match("^</%s*([%w:_%-]+)[^>]*>()", at)
    local opened, rest = text:match("^<([%a_][%w:_%.%-]*)()", at)
    if data then
      on.text(data)
      place = after_data
    elseif closed then
      on.close(closed:lower(), at)
      place = after
    elseif opened then
      local attributes, to, is_empty = attributes_at(text, rest)
      on.open(opened:lower(), attributes, to)
      if is_empty then on.close(opened:lower(), to) end
      place = to
    else
      place = skipped(text, at) or at + 1
    end
  end
end

-- The tree of a text. A node has `name`, `attributes`, `text`, its children, and `source`, what is
-- between its tags as it was written.
function xml.parse(text)
  text = as_utf8(text)
  local root = { attributes = {}, text = "" }
  local open = { root }
  local function close_to(depth, place)
    while #open >= depth do
      local node = table.remove(open)
      node.source = text:sub(node.from, place - 1)
    end
  end
  xml.each(text, {
    open = function(name, attributes, to)
      local node = { name = name, attributes = attributes, text = "", from = to }
      table.insert(open[#open], node)
      open[#open + 1] = node
    end,
    -- A tag that was never opened closes nothing; one that was closes what is in it.
    close = function(name, place)
      local depth = #open
      while depth > 1 and open[depth].name ~= name do depth = depth - 1 end
      if depth > 1 then close_to(depth, place) end
    end,
    text = function(part) open[#open].text = open[#open].text .. part end,
  })
  close_to(2, #text + 1)
  return root
end

-- The first child with one of some names, the first of which counts most.
function xml.child(node, ...)
  for _, name in ipairs { ... } do
    for _, one in ipairs(node) do
      if one.name == name then return one end
    end
  end
end

return xml
