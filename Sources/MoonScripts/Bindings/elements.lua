-- Lists of elements, as authors write them: with `nil` and `false` for elements that aren't shown,
-- and with lists in them. A part of `moon.ui`.
local type, error, ipairs, next, pairs, tostring = type, error, ipairs, next, pairs, tostring
local integer_of, sub = math.tointeger, string.sub

local function is_element(value)
  return type(value) == "string" or type(value) == "table" and type(value.type) == "string"
end

local function is_action(value)
  return type(value) == "table" and type(value.type) == "string"
    and sub(value.type, 1, 7) == "Action."
end

-- The values of a list to show, and the position of each. Skips `nil` and `false`, as in `cond and
-- ui.text("x")`.
local function shown(list)
  local values, places = {}, {}
  for place, value in pairs(list) do
    -- Numbers come first.
    if not integer_of(place) then break end
    if value then
      values[#values + 1] = value
      places[#values] = place
    end
  end
  return values, places
end

-- The maximum depth of lists in a list of elements.
local nesting_max = 16

-- Whether a value is a list of elements, which may be empty.
local function is_list(value)
  if type(value) ~= "table" or value.type ~= nil then return false end
  local first = next(value)
  return first == nil or integer_of(first) ~= nil
end

-- Appends the elements of a list, and those of lists in it, to `result`. Returns the position of
-- the first value that isn't accepted, and the value.
local function append_elements(list, result, accepts, depth)
  local values, places = shown(list)
  for i, value in ipairs(values) do
    if accepts(value) then
      result[#result + 1] = value
    elseif is_list(value) and depth < nesting_max then
      local place, wrong = append_elements(value, result, accepts, depth + 1)
      if place then return places[i] .. "." .. place, wrong end
    else
      return places[i], value
    end
  end
end

-- The elements of a list to show; a list in it stands for its elements. Raises an error for a value
-- that isn't an element.
local function elements(list, name, what)
  local result = {}
  local place, wrong = append_elements(list, result, is_element, 1)
  if place then
    error(name .. " takes " .. (what or "elements") .. ", but value " .. place .. " is a "
      .. type(wrong), 3)
  end
  return result
end

-- A string, number or boolean as text; nil for anything else.
local function text_of(value)
  local kind = type(value)
  if kind == "string" then return value end
  if kind == "number" or kind == "boolean" then return tostring(value) end
  return nil
end

-- The action of an input that a person changes: its type, or an action, `{ type, payload }`.
local function change(action)
  if type(action) == "string" then return { type = "Action.Execute", verb = action } end
  if type(action) ~= "table" or is_action(action) then return action end
  return { type = "Action.Execute", verb = action.type, data = action.payload }
end

return {
  is_element = is_element, is_action = is_action, is_list = is_list, shown = shown,
  append_elements = append_elements, elements = elements, text_of = text_of, change = change,
}
