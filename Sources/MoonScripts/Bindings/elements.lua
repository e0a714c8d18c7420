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

-- The actions of a list to show, in the same way.
local function actions(list, name)
  local result = {}
  local place = append_elements(list, result, is_action, 1)
  if place then
    error(name .. " takes actions such as ui.button, but value " .. place .. " is none", 3)
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

-- Appends what the function of a list returned for an item. The error names the caller of ui.list.
local function append(element, result, i)
  local place, wrong = append_elements({ element }, result, is_element, 1)
  if place then
    error("ui.list: the function must return an element, but for item " .. i .. " it returned a "
      .. type(wrong), 4)
  end
end

-- The number of items, and a function that returns one; a number stands for so many.
local function counted(items)
  if type(items) ~= "number" then return #items, function(i) return items[i] end end
  return integer_of(items) or error("ui.list takes a whole number of items, not " .. items, 4),
    function(i) return i end
end

-- Fills a list with one element for each item that has one.
local function add_items(list, items, element_of)
  local result, count, item_at = {}, counted(items)
  for i = 1, count do
    local item = item_at(i)
    if item == nil then break end
    local element = element_of(item, i)
    if element then append(element, result, i) end
  end
  list.items = result
end

-- Fills a list with one element for each row that is seen.
local function add_rows(list, items, element_of)
  local rows, result, count, item_at = list.rows, {}, counted(items)
  if type(rows) ~= "function" or type(list.id) ~= "string" then
    error("ui.list: what is drawn in part has an id, too: "
      .. "{ id = \"log\", rows = self.visible_rows }", 3)
  end
  local first, last = rows(list.id, count)
  for i = first, last do
    local element = element_of(item_at(i), i)
    if is_list(element) then
      local items_of = {}
      append(element, items_of, i)
      element = { type = "Container", items = items_of }
    elseif is_action(element) then
      element = { type = "ActionSet", actions = { element } }
    elseif not is_element(element) then
      error("ui.list: each row that is drawn has an element, but for item " .. i
        .. " the function returned a " .. type(element), 3)
    end
    result[#result + 1] = element
  end
  list.rows, list.items = nil, result
  if #result < count then list.first, list.count = first, count end
end

return {
  add_items = add_items, add_rows = add_rows,
  is_element = is_element, is_list = is_list, shown = shown,
  elements = elements, actions = actions, text_of = text_of, change = change,
}
