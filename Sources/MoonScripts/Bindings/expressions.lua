-- The expressions of templates, such as `count(items) > 0`. A part of `moon.ui`.
--
-- Source: the part of Adaptive Expressions that Elements.md lists.
local type, error, ipairs, tonumber, select = type, error, ipairs, tonumber, select
local math_type, unpack = math.type, table.unpack
local find, match, sub = string.find, string.match, string.sub
local operations = require "moonwire.operations"
local operators, functions = operations.operators, operations.functions
local is_true, number = operations.is_true, operations.number

-- The maximum depth of expressions in expressions, and the maximum size of one.
local depth_max, bytes_max = 40, 2000

-- The operators by how closely they bind, the loosest first.
local levels = {
  { "||" }, { "&&" }, { "==", "!=" }, { "<=", ">=", "<", ">" }, { "&" }, { "+", "-" },
  { "*", "/", "%" }, { "^" },
}

-- Functions that decide which of their arguments count.
local lazy = {
  ["if"] = function(scope, condition, yes, no)
    if is_true(condition(scope)) then return yes and yes(scope) end
    return no and no(scope)
  end,
  ["and"] = function(scope, ...)
    for place = 1, select("#", ...) do
      if not is_true((select(place, ...))(scope)) then return false end
    end
    return true
  end,
  ["or"] = function(scope, ...)
    for place = 1, select("#", ...) do
      if is_true((select(place, ...))(scope)) then return true end
    end
    return false
  end,
  coalesce = function(scope, ...)
    for place = 1, select("#", ...) do
      local value = (select(place, ...))(scope)
      if value ~= nil then return value end
    end
  end,
}

-- What a table has under a key; places of lists are counted from 0.
local function member(value, key)
  if type(value) ~= "table" then return nil end
  if math_type(key) == "integer" then key = key + 1 end
  local found = nil
  if key ~= nil then found = value[key] end
  -- JSON's null is a thing of the host.
  if type(found) == "userdata" then return nil end
  -- What is no number has no value, nor has what has no end.
  if math_type(found) == "float" and (found ~= found or found - found ~= 0) then return nil end
  return found
end

-- Reads an expression: a parser with the text and the place in it.
local function reader(text)
  local place, depth = 1, 0
  local expression

  local function fail(reason) error(reason .. " in ${" .. text .. "}", 0) end

  local function skip() place = find(text, "[^%s]", place) or #text + 1 end

  local function takes(word)
    skip()
    if sub(text, place, place + #word - 1) ~= word then return false end
    place = place + #word
    return true
  end

  local function needs(word) if not takes(word) then fail("'" .. word .. "' is missing") end end

  local function arguments(name)
    local parts = {}
    if takes ")" then return parts end
    repeat parts[#parts + 1] = expression(1) until not takes ","
    needs ")"
    if #parts > 20 then fail(name .. " gets too much") end
    return parts
  end

  local function call(name)
    local parts = arguments(name)
    local decide, apply = lazy[name], functions[name]
    if decide then
      if name == "if" and #parts < 2 then fail "if takes a condition and what it decides" end
      return function(scope) return decide(scope, unpack(parts)) end
    end
    if not apply then fail("there is no function '" .. name .. "'") end
    return function(scope)
      local values = {}
      for i, part in ipairs(parts) do values[i] = part(scope) end
      return apply(unpack(values, 1, #parts))
    end
  end

  local function quoted(mark)
    local last = find(text, mark, place, true)
    if not last then fail("the text after " .. mark .. " doesn't end") end
    local found = sub(text, place, last - 1)
    place = last + 1
    return function() return found end
  end

  local constants = { ["true"] = true, ["false"] = false }

  local function name_or_call()
    local name = match(text, "^[%$@]?[%a_][%w_]*", place)
    if not name then
      fail(place > #text and "something is missing at the end"
        or "'" .. sub(text, place, place) .. "' means nothing")
    end
    place = place + #name
    if takes "(" then return call(name) end
    if constants[name] ~= nil then return function() return constants[name] end end
    if name == "null" then return function() return nil end end
    if name == "$data" then return function(scope) return scope.data end end
    if name == "$root" then return function(scope) return scope.root end end
    if name == "$index" then return function(scope) return scope.index end end
    return function(scope) return member(scope.data, name) end
  end

  local function first()
    skip()
    if takes "(" then
      local inner = expression(1)
      needs ")"
      return inner
    end
    if takes "'" then return quoted "'" end
    if takes '"' then return quoted '"' end
    local digits = match(text, "^%d+%.?%d*[eE][+-]?%d+", place) or match(text, "^%d+%.?%d*", place)
    if digits then
      place = place + #digits
      local value = tonumber(digits)
      return function() return value end
    end
    return name_or_call()
  end

  local function path()
    local value = first()
    while true do
      local container = value
      if takes "." then
        skip()
        local name = match(text, "^[%a_][%w_]*", place)
        if not name then fail "a name is missing after a dot" end
        place = place + #name
        value = function(scope) return member(container(scope), name) end
      elseif takes "[" then
        local key = expression(1)
        needs "]"
        value = function(scope) return member(container(scope), key(scope)) end
      else
        return value
      end
    end
  end

  local function unary()
    skip()
    if sub(text, place, place + 1) ~= "!=" and takes "!" then
      local value = unary()
      return function(scope) return not is_true(value(scope)) end
    end
    if takes "-" then
      local value = unary()
      return function(scope)
        local found = number(value(scope))
        return found and -found
      end
    end
    return path()
  end

  local function operator(level)
    skip()
    for _, word in ipairs(levels[level]) do
      local is_longer = word == "&" and sub(text, place, place + 1) == "&&"
      if not is_longer and takes(word) then return word end
    end
  end

  local function binary(word, left, right)
    if word == "||" then return function(s) return is_true(left(s)) or is_true(right(s)) end end
    if word == "&&" then return function(s) return is_true(left(s)) and is_true(right(s)) end end
    local apply = operators[word]
    return function(scope) return apply(left(scope), right(scope)) end
  end

  function expression(level)
    if level > #levels then return unary() end
    depth = level == 1 and depth + 1 or depth
    if depth > depth_max then fail "there is too much in each other" end
    local left = expression(level + 1)
    local word = operator(level)
    while word do
      left = binary(word, left, expression(level + 1))
      word = operator(level)
    end
    depth = level == 1 and depth - 1 or depth
    return left
  end

  if #text > bytes_max then error("${" .. sub(text, 1, 40) .. "…} is too long", 0) end
  local read = expression(1)
  skip()
  if place <= #text then fail("'" .. sub(text, place) .. "' is too much") end
  return read
end

return { read = reader, text_of = operations.text_of, is_true = is_true }
