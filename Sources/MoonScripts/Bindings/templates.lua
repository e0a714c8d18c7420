-- Templates of cards, which data fills. A part of `moon.ui`.
--
-- Source: Adaptive Cards Templating, version 2.0.
local type, error, pcall, ipairs, next, pairs = type, error, pcall, ipairs, next, pairs
local find, match, sub, concat = string.find, string.match, string.sub, table.concat
local integer_of = math.tointeger
local expressions = require "moonwire.expressions"

-- The maximum depth of tables in tables, and the maximum number of tables that are made.
local depth_max, count_max = 64, 20000

-- The place of the brace that ends an expression; braces in texts of it don't count.
local function end_of(text, start)
  local place, depth = start, 1
  while true do
    place = find(text, "[{}'\"]", place)
    if not place then return nil end
    local sign = sub(text, place, place)
    if sign == "{" then
      depth = depth + 1
    elseif sign == "}" then
      depth = depth - 1
      if depth == 0 then return place end
    else
      place = find(text, sign, place + 1, true)
      if not place then return nil end
    end
    place = place + 1
  end
end

-- Reads a text: its literal parts and its expressions, each with what stands for it if it has no
-- value. What has no end is a literal part.
local function parts_of(text)
  local parts, start = {}, 1
  while true do
    local first = find(text, "${", start, true)
    local last = first and end_of(text, first + 2)
    if not last then
      parts[#parts + 1] = { text = sub(text, start) }
      return parts
    end
    if sub(text, first - 1, first - 1) == "\\" then
      parts[#parts + 1] = { text = sub(text, start, first - 2) .. sub(text, first, last) }
    else
      if first > start then parts[#parts + 1] = { text = sub(text, start, first - 1) } end
      parts[#parts + 1] = {
        text = sub(text, first, last), value = expressions.read(sub(text, first + 2, last - 1)),
      }
    end
    start = last + 1
    if start > #text then return parts end
  end
end

local function is_list(value)
  local first = next(value)
  return first == nil or integer_of(first) ~= nil
end

-- Fills a card with data; `list` makes a list of a table.
local function fill(card, data, list)
  local texts, count = {}, 0
  local filled

  local function text(template, scope)
    if not find(template, "${", 1, true) then return template end
    local parts = texts[template]
    if not parts then
      parts = parts_of(template)
      texts[template] = parts
    end
    if #parts == 1 then
      local value = parts[1].value and parts[1].value(scope)
      if value == nil then return parts[1].text end
      return value
    end
    local pieces = {}
    for place, part in ipairs(parts) do
      pieces[place] = part.value and expressions.text_of(part.value(scope)) or part.text
    end
    return concat(pieces)
  end

  -- The value that an expression or a literal stands for; an expression without one is nil.
  local function value_of(template, scope)
    if type(template) ~= "string" then return template end
    local found = text(template, scope)
    if found == template and match(template, "^%${") then return nil end
    return found
  end

  local function within(scope, value, index)
    return { data = value, root = scope.root, index = index or scope.index }
  end

  local function begin(depth)
    count = count + 1
    if depth > depth_max or count > count_max then
      error("the card has too many parts, or too many in each other", 0)
    end
  end

  local function map(template, scope, depth)
    begin(depth)
    local condition = template["$when"]
    if condition ~= nil and not expressions.is_true(value_of(condition, scope)) then return nil end
    local result = {}
    for name, value in pairs(template) do
      if name ~= "$when" and name ~= "$data" then result[name] = filled(value, scope, depth + 1) end
    end
    return result
  end

  -- Appends what an entry of a list becomes: nothing, itself, or one for each of its data.
  local function append(result, template, scope, depth)
    local source = type(template) == "table" and not is_list(template) and template["$data"]
    if not source then
      result[#result + 1] = filled(template, scope, depth)
      return
    end
    local found = value_of(source, scope)
    if type(found) ~= "table" or not is_list(found) then
      result[#result + 1] = map(template, within(scope, found), depth)
      return
    end
    for place, item in ipairs(found) do
      result[#result + 1] = map(template, within(scope, item, place - 1), depth)
    end
  end

  function filled(template, scope, depth)
    if type(template) == "string" then return text(template, scope) end
    if type(template) ~= "table" then return template end
    if next(template) == nil then return template end
    if is_list(template) then
      begin(depth)
      local result = {}
      for _, item in ipairs(template) do append(result, item, scope, depth + 1) end
      return list(result)
    end
    local source = template["$data"]
    if source ~= nil then scope = within(scope, value_of(source, scope)) end
    return map(template, scope, depth)
  end

  return filled(card, { data = data, root = data }, 1)
end

return function(card, data, list)
  if type(card) ~= "table" then
    error("ui.template takes a card first, which is a table, not a " .. type(card), 3)
  end
  local done, result = pcall(fill, card, data, list)
  if not done then error("ui.template: " .. result, 3) end
  return result or list {}
end
