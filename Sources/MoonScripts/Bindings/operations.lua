-- The operators and functions of the expressions of templates. A part of `moon.ui`.
--
-- Source: the part of Adaptive Expressions that Elements.md lists.
local type, ipairs, next, pairs, tostring = type, ipairs, next, pairs, tostring
local tonumber, select, pcall = tonumber, select, pcall
local floor, ceil, huge, fmod = math.floor, math.ceil, math.huge, math.fmod
local least, greatest, math_type, to_integer = math.min, math.max, math.type, math.tointeger
local find, match, sub, lower, upper = string.find, string.match, string.sub, string.lower,
  string.upper
local format, concat, length, offset = string.format, table.concat, utf8.len, utf8.offset
local character = utf8.charpattern

local function text_of(value)
  if math_type(value) == "float" then
    local integer = to_integer(value)
    return integer and tostring(integer) or format("%.14g", value)
  end
  local kind = type(value)
  if kind == "string" or kind == "number" or kind == "boolean" then return tostring(value) end
  return nil
end

local function is_true(value) return value ~= nil and value ~= false end

local function is_empty(value)
  return value == nil or value == "" or type(value) == "table" and next(value) == nil
end

-- The maximum depth to which tables are compared, that of values; further down, none are equal.
local depth_max = 64

local function same(a, b, depth)
  depth = depth or 1
  if a == b or type(a) ~= "table" or type(b) ~= "table" then return a == b end
  if depth > depth_max then return false end
  for key, value in pairs(a) do if not same(value, b[key], depth + 1) then return false end end
  for key in pairs(b) do if a[key] == nil then return false end end
  return true
end

-- What isn't a number, or a text where one is needed, has no value: nil, as what isn't there.
local function number(value) return type(value) == "number" and value or nil end

local function arithmetic(apply)
  return function(a, b)
    a, b = number(a), number(b)
    if not a or not b then return nil end
    local done, result = pcall(apply, a, b)
    -- Neither what isn't a number nor what is infinite can be shown.
    return done and result == result and result ~= huge and result ~= -huge and result or nil
  end
end

local function order(apply)
  return function(a, b)
    if type(a) ~= type(b) or type(a) ~= "number" and type(a) ~= "string" then return false end
    return apply(a, b)
  end
end

local add = arithmetic(function(a, b) return a + b end)

local operators = {
  ["=="] = function(a, b) return same(a, b) end,
  ["!="] = function(a, b) return not same(a, b) end,
  ["<"] = order(function(a, b) return a < b end), [">"] = order(function(a, b) return a > b end),
  ["<="] = order(function(a, b) return a <= b end),
  [">="] = order(function(a, b) return a >= b end),
  ["+"] = function(a, b)
    if type(a) ~= "string" and type(b) ~= "string" then return add(a, b) end
    a, b = text_of(a), text_of(b)
    return a and b and a .. b
  end,
  ["&"] = function(a, b) return (text_of(a) or "") .. (text_of(b) or "") end,
  ["-"] = arithmetic(function(a, b) return a - b end),
  ["*"] = arithmetic(function(a, b) return a * b end),
  -- Integers are divided as integers.
  ["/"] = arithmetic(function(a, b)
    if math_type(a) == "integer" and math_type(b) == "integer" then
      local quotient = a // b
      return quotient < 0 and quotient * b ~= a and quotient + 1 or quotient
    end
    return a / b
  end),
  ["%"] = arithmetic(function(a, b) return fmod(a, b) end),
  ["^"] = arithmetic(function(a, b)
    local power = a ^ b
    local is_whole = math_type(a) == "integer" and math_type(b) == "integer"
    return is_whole and to_integer(power) or power
  end),
}

local function texts(apply)
  return function(text, ...)
    if type(text) ~= "string" then return nil end
    return apply(text, ...)
  end
end

local function fold(apply)
  return function(...)
    local list = select("#", ...) == 1 and type(...) == "table" and ... or { ... }
    local result
    for _, value in ipairs(list) do
      if not number(value) then return nil end
      result = result == nil and value or apply(result, value)
    end
    return result
  end
end

local sum = fold(function(a, b) return a + b end)

local function place_of(text, part)
  local place = type(part) == "string" and find(text, part, 1, true)
  return place and length(text, 1, place) and length(text, 1, place) - 1 or place and place - 1
end

local functions = {
  equals = operators["=="], greater = operators[">"], less = operators["<"],
  greaterOrEquals = operators[">="], lessOrEquals = operators["<="],
  add = operators["+"], sub = operators["-"], mul = operators["*"], div = operators["/"],
  mod = operators["%"], exp = operators["^"],
  ["not"] = function(value) return not is_true(value) end,
  empty = is_empty, exists = function(value) return value ~= nil end,
  string = text_of, float = function(value) return tonumber(value) end,
  int = function(value)
    local read = tonumber(value)
    return read and to_integer(read < 0 and ceil(read) or floor(read))
  end,
  bool = function(value) return is_true(value) and value ~= 0 and value ~= "false" end,
  count = function(value)
    if type(value) == "table" then return #value end
    return type(value) == "string" and (length(value) or #value) or nil
  end,
  length = texts(function(text) return length(text) or #text end),
  toLower = texts(lower), toUpper = texts(upper),
  trim = texts(function(text) return match(text, "^%s*(.*%S)") or "" end),
  startsWith = texts(function(text, part)
    return type(part) == "string" and sub(text, 1, #part) == part
  end),
  endsWith = texts(function(text, part)
    return type(part) == "string" and (part == "" or sub(text, -#part) == part)
  end),
  indexOf = texts(function(text, part) return place_of(text, part) or -1 end),
  replace = texts(function(text, part, other)
    if type(part) ~= "string" or part == "" or type(other) ~= "string" then return text end
    local parts, start = {}, 1
    while true do
      local first, last = find(text, part, start, true)
      if not first then break end
      parts[#parts + 1] = sub(text, start, first - 1)
      start = last + 1
    end
    parts[#parts + 1] = sub(text, start)
    return concat(parts, other)
  end),
  substring = texts(function(text, start, count)
    local size = length(text)
    if not size or not number(start) or start < 0 or start > size then return nil end
    local last = number(count) and start + count or size
    if last < start or last > size then return nil end
    return sub(text, offset(text, floor(start) + 1), offset(text, floor(last) + 1) - 1)
  end),
  split = texts(function(text, separator)
    local parts, start = {}, 1
    if type(separator) ~= "string" or separator == "" then return { text } end
    while true do
      local first, last = find(text, separator, start, true)
      parts[#parts + 1] = sub(text, start, first and first - 1)
      if not first then return parts end
      start = last + 1
    end
  end),
  join = function(list, separator)
    if type(list) ~= "table" then return nil end
    local parts = {}
    for place, value in ipairs(list) do parts[place] = text_of(value) or "" end
    return concat(parts, type(separator) == "string" and separator or "")
  end,
  concat = function(...)
    local parts = {}
    for place = 1, select("#", ...) do parts[place] = text_of((select(place, ...))) or "" end
    return concat(parts)
  end,
  contains = function(whole, part)
    if type(whole) == "string" then
      return type(part) == "string" and find(whole, part, 1, true) ~= nil
    end
    if type(whole) ~= "table" then return false end
    for _, value in ipairs(whole) do if same(value, part) then return true end end
    return type(part) == "string" and whole[part] ~= nil
  end,
  first = function(value)
    if type(value) == "table" then return value[1] end
    return type(value) == "string" and match(value, "^" .. character) or nil
  end,
  last = function(value)
    if type(value) == "table" then return value[#value] end
    return type(value) == "string" and match(value, character .. "$") or nil
  end,
  sum = sum, min = fold(least), max = fold(greatest),
  average = function(list)
    local count = type(list) == "table" and #list or 0
    local total = count > 0 and sum(list)
    return total and total / count
  end,
  floor = function(value) return number(value) and floor(value) end,
  ceiling = function(value) return number(value) and ceil(value) end,
  round = function(value, digits)
    if not number(value) then return nil end
    local factor = 10 ^ (number(digits) or 0)
    local rounded = floor(value * factor + 0.5) / factor
    if rounded - rounded ~= 0 then return value end
    return to_integer(rounded) or rounded
  end,
  formatNumber = function(value, digits)
    if not number(value) or not number(digits) or digits < 0 or digits > 15 then return nil end
    local text = format("%." .. floor(digits) .. "f", value)
    local sign, whole, rest = match(text, "^(-?)(%d+)(.*)$")
    if not whole then return text end
    local head = #whole % 3
    local groups = { head > 0 and sub(whole, 1, head) or nil }
    for place = head + 1, #whole, 3 do groups[#groups + 1] = sub(whole, place, place + 2) end
    return sign .. concat(groups, ",") .. rest
  end,
}

return {
  operators = operators, functions = functions, text_of = text_of, is_true = is_true,
  number = number,
}
