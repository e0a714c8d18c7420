-- Forms: inputs for the fields of an action, and a button that dispatches it. A part of `moon.ui`.
local type, error, ipairs, pairs, tostring = type, error, ipairs, pairs, tostring
local find, gsub, match, gmatch = string.find, string.gsub, string.match, string.gmatch
local sub, upper = string.sub, string.upper

-- The constructors of inputs for kinds of values.
local kinds = {
  any = "input", string = "input", integer = "number", number = "number", boolean = "toggle",
}

-- The words of an enumeration such as `todo|done`; nil if it is another type.
local function words_of(declared)
  if not find(declared, "|", 1, true) then return nil end
  local words = {}
  for word in gmatch(declared, "[^|]+") do
    if kinds[word] or not match(word, "^[%w_-]+$") then return nil end
    words[#words + 1] = word
  end
  return words
end

-- `first_name` for people: `First name`.
local function label_of(name)
  local label = gsub(name, "_", " ")
  return upper(sub(label, 1, 1)) .. sub(label, 2)
end

-- The input for a field, with the options that the author gives; nil if no input takes the type.
local function input_of(made, field, declared, given)
  local is_optional = sub(declared, -1) == "?"
  local base = is_optional and sub(declared, 1, -2) or declared
  local words = words_of(base)
  local kind = words and "choice" or kinds[base]
  if not kind then return nil end
  local options = { id = field, choices = words }
  if kind == "toggle" then
    options.title = label_of(field)
  else
    options.label = label_of(field)
    options.required = not is_optional
    if base == "integer" then options.is_integer = true end
  end
  for name, value in pairs(given or {}) do options[name] = value end
  return made[kind](options)
end

-- The fields to ask for: those that are listed, or all in the order of their names.
local function fields_of(declared, options)
  local names = {}
  for _, name in ipairs(options) do names[#names + 1] = name end
  if #names > 0 then return names end
  for name in pairs(declared) do
    if type(name) == "string" then names[#names + 1] = name end
  end
  return names
end

-- Makes a form. `made` has the constructors of elements, `actions` what the module declares.
return function(made, actions, name, options)
  options = options or {}
  if type(name) ~= "string" or type(options) ~= "table" then
    error("ui.form takes the name of an action, and its options as a table", 2)
  end
  local declared = (actions or {})[name]
  if declared == nil then
    error("ui.form: the table that moon.module got declares no action " .. name, 2)
  end
  if type(declared) ~= "table" then declared = {} end
  local items = { id = options.id, visible = options.visible, style = options.style }
  for _, field in ipairs(fields_of(declared, options)) do
    local kind = declared[field]
    if kind == nil or type(field) ~= "string" then
      error("ui.form: the action " .. name .. " has no field " .. tostring(field), 2)
    end
    local input = type(kind) == "string"
      and input_of(made, field, kind, (options.fields or {})[field])
    if not input then
      error("ui.form can't ask for " .. field .. ": list the other fields, as in ui.form(\"" .. name
        .. "\", { \"title\" }), and give it as data", 2)
    end
    items[#items + 1] = input
  end
  items[#items + 1] = made.button(options.button or label_of(name), name, options.data)
  return made.container(items)
end
