-- The values that tests give and compare: as plain data, as texts, and whether two are equal.
local pairs, pcall, tostring, type = pairs, pcall, tostring, type
local char, len, byte, gsub, sub = utf8.char, utf8.len, string.byte, string.gsub, string.sub
local concat, math_type = table.concat, math.type
local null = moon.null

-- How deep values are compared and shown.
local depth_max = 50

-- The text with a mark in the place of each byte that isn't UTF-8, which can't leave the machine.
local function readable(text)
  local parts, from = {}, 1
  while true do
    local count, bad = len(text, from)
    if count then break end
    parts[#parts + 1], from = sub(text, from, bad - 1), bad + 1
  end
  parts[#parts + 1] = sub(text, from)
  return concat(parts, "\u{FFFD}")
end

-- A readable text for any value.
local function text_of(value)
  local done, text = pcall(tostring, value)
  return done and readable(text) or "(" .. type(value) .. ")"
end

-- Bytes as services are passed them: a table with one entry, that has a character for each byte.
local function marked(bytes)
  local text = gsub(bytes, "[\x80-\xFF]", function(sign) return char(byte(sign)) end)
  return { ["\0bytes"] = text }
end

-- The value as plain data; anything that can't be kept in a state becomes its text, but for bytes
-- if they are kept.
local function plain(value, keeps_bytes, depth)
  depth = depth or 1
  local kind = type(value)
  if value == null or kind == "nil" or kind == "boolean" then return value end
  if kind == "number" then return value == value and value or "nan" end
  if kind == "string" then
    return len(value) and value or keeps_bytes and marked(value) or "(bytes)"
  end
  if kind ~= "table" then return text_of(value) end
  if depth > depth_max then return "…" end
  local copy, count, is_list = {}, 0, true
  for key in pairs(value) do
    count = count + 1
    is_list = is_list and key == count
  end
  for key, entry in pairs(value) do
    if not is_list then key = math_type(key) == "integer" and key or text_of(key) end
    copy[key] = plain(entry, keeps_bytes, depth + 1)
  end
  return copy
end

local function equal(left, right, depth)
  depth = depth or 1
  if left == right then return true end
  if type(left) ~= "table" or type(right) ~= "table" then return false end
  if depth > depth_max or left == null or right == null then return false end
  for key, value in pairs(left) do
    if not equal(value, right[key], depth + 1) then return false end
  end
  for key in pairs(right) do
    if left[key] == nil then return false end
  end
  return true
end

return plain, equal, text_of
