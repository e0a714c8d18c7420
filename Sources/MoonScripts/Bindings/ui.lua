-- `moon.ui`: constructors for the elements of a screen. Elements are plain tables in the schema of
-- Adaptive Cards. Options are fields of that schema, in its spelling or in Lua's (`max_lines`).
-- Some have the short names below.
local type, error, ipairs, pairs = type, error, ipairs, pairs
local integer_of = math.tointeger
local find, gsub, sub, upper = string.find, string.gsub, string.sub, string.upper
local lists = require "moonwire.elements"
local is_element, is_list, shown = lists.is_element, lists.is_list, lists.shown
local text_of = lists.text_of
local elements = lists.elements

local ui = {}

local short_names = {
  align = "horizontalAlignment",
  alt = "altText",
  focus = "isFocused",
  keep = "isKept",
  multiline = "isMultiline",
  multiple = "isMultiSelect",
  required = "isRequired",
  select = "selectAction",
  subtle = "isSubtle",
  visible = "isVisible",
}

-- The schema's name of an option: `maxLines` for `max_lines`.
local function schema_name(name)
  return short_names[name] or (gsub(name, "_(%l)", function(letter) return upper(letter) end))
end

-- Checks the type of a constructor's argument. The error names the caller of the constructor.
local function expect(value, wanted, sentence)
  if type(value) ~= wanted then
    local given = value == nil and "nothing" or "a " .. type(value)
    error(sentence .. ", not " .. given, 3)
  end
end

local function expect_options(options, name)
  if options ~= nil and type(options) ~= "table" then
    error(name .. " takes its options as a table, not as a " .. type(options), 3)
  end
end

-- Writes the named fields of `options` into `element`.
local function with(element, options)
  for name, value in pairs(options or {}) do
    if name == "disabled" then
      element.isEnabled = not value
    elseif name == "inputs" and type(value) == "boolean" then
      element.associatedInputs = value and "auto" or "none"
    elseif name == "changed" then
      element.valueChangedAction = lists.change(value)
    elseif type(name) == "string" then
      element[schema_name(name)] = value
    end
  end
  return element
end

--- A text with wrapped lines: `ui.text("Hi", { size = "large" })`.
function ui.text(text, options)
  expect(text, "string", "ui.text takes a string")
  expect_options(options, "ui.text")
  return with({ type = "TextBlock", text = text, wrap = true }, options)
end

--- A heading above a part of the screen.
function ui.heading(text, options)
  expect(text, "string", "ui.heading takes a string")
  expect_options(options, "ui.heading")
  return with({ type = "TextBlock", text = text, wrap = true, style = "heading" }, options)
end

--- A text of several runs: strings, and tables such as `{ "done", color = "good" }`.
function ui.rich(runs)
  expect(runs, "table", "ui.rich takes a table of strings and runs")
  local inlines, places = shown(runs)
  for i, run in ipairs(inlines) do
    if type(run) == "table" then
      local text = run[1] or run.text
      if type(text) ~= "string" then
        error("ui.rich: run " .. places[i] .. " has no text: { \"text\", color = \"good\" }", 2)
      end
      inlines[i] = with({ type = "TextRun" }, run)
      inlines[i].text = text
    elseif type(run) ~= "string" then
      error("ui.rich takes strings and runs, but value " .. places[i] .. " is a " .. type(run), 2)
    end
  end
  return with({ type = "RichTextBlock", inlines = inlines }, runs)
end

--- A picture: `ui.image("https://…", { alt = "A cat" })`.
function ui.image(url, options)
  expect(url, "string", "ui.image takes a URL")
  expect_options(options, "ui.image")
  return with({ type = "Image", url = url }, options)
end

--- Pictures: `ui.images { "https://…", ui.image("https://…", { alt = "A cat" }) }`.
function ui.images(images)
  expect(images, "table", "ui.images takes a table of URLs and images")
  local result, places = shown(images)
  for i, image in ipairs(result) do
    if type(image) == "string" then
      result[i] = { type = "Image", url = image }
    elseif type(image) ~= "table" then
      error("ui.images takes URLs and images, but value " .. places[i] .. " is a "
        .. type(image), 2)
    end
  end
  return with({ type = "ImageSet", images = result }, images)
end

--- A film or a sound, which its description opens: `ui.media("https://…", { alt = "The talk" })`.
function ui.media(url, options)
  expect(url, "string", "ui.media takes a URL")
  expect_options(options, "ui.media")
  return with({ type = "Media", sources = { { url = url } } }, options)
end

--- Elements in a vertical group, with options: `ui.container { "one", "two", style = "good" }`.
function ui.container(items)
  expect(items, "table", "ui.container takes a table of elements")
  return with({ type = "Container", items = elements(items, "ui.container") }, items)
end

--- A place where other modules can add elements: `ui.slot("below_list")`. Its list entries are
-- shown while no module fills it; `data` is passed to the modules that do.
function ui.slot(name, options)
  expect(name, "string", "ui.slot takes a name, which is a string")
  expect_options(options, "ui.slot")
  options = options or {}
  local items = elements(options, "ui.slot")
  return { type = "Slot", name = name, data = options.data, items = items, id = options.id }
end

--- A column of a row: `ui.column { "one", "two", width = "auto" }`.
function ui.column(items)
  expect(items, "table", "ui.column takes a table of elements")
  return with({ type = "Column", items = elements(items, "ui.column") }, items)
end

--- Columns side by side. Any other element gets a column that is as wide as it needs.
function ui.row(items)
  expect(items, "table", "ui.row takes a table of columns or elements")
  local columns = {}
  for i, item in ipairs(elements(items, "ui.row", "columns and elements")) do
    if type(item) == "table" and item.type == "Column" then
      columns[i] = item
    else
      columns[i] = { type = "Column", width = "auto", items = { item } }
    end
  end
  return with({ type = "ColumnSet", columns = columns }, items)
end

--- Pairs of a name and a value: `ui.facts { { "Name", "Max" }, { "Age", 3 } }`.
function ui.facts(pairs_of)
  expect(pairs_of, "table", "ui.facts takes a table of pairs")
  local facts, places = shown(pairs_of)
  for i, pair in ipairs(facts) do
    local is_table = type(pair) == "table"
    local title, value = is_table and text_of(pair[1]), is_table and text_of(pair[2])
    if not title or not value then
      error("ui.facts takes pairs of texts or numbers, but value " .. places[i] .. " is none: "
        .. "{ \"Name\", \"Max\" }", 2)
    end
    facts[i] = { title = title, value = value }
  end
  return with({ type = "FactSet", facts = facts }, pairs_of)
end

--- A bar that shows how much is done: `ui.progress(3, 10)`, or `ui.progress()` if nobody knows.
function ui.progress(value, max, options)
  if value ~= nil then expect(value, "number", "ui.progress takes how much is done") end
  if max ~= nil then expect(max, "number", "ui.progress takes how much there is to do") end
  expect_options(options, "ui.progress")
  return with({ type = "ProgressBar", value = value, max = max or 1 }, options)
end

-- The number of the last cell of a row.
local function width_of(row)
  local width = 0
  for place in pairs(row) do
    if not integer_of(place) then break end
    width = place
  end
  return width
end

--- Rows of cells: `ui.table { { "Name", "Age" }, { "Max", 3 }, header = true }`.
-- `columns` may say how each is aligned: `columns = { "left", "right" }`.
function ui.table(rows)
  expect(rows, "table", "ui.table takes a table of rows")
  local result = { type = "Table", rows = {} }
  local shown_rows, places = shown(rows)
  for i, row in ipairs(shown_rows) do
    if type(row) ~= "table" then
      error("ui.table takes rows, which are tables, but value " .. places[i] .. " is a "
        .. type(row), 2)
    end
    local cells = {}
    for j = 1, width_of(row) do
      local cell = row[j]
      -- A missing cell keeps its place.
      local item = cell == nil and "" or text_of(cell) or cell
      if not is_element(item) then
        error("ui.table: cell " .. j .. " of row " .. places[i] .. " is a " .. type(cell)
          .. ", not a text, number or element", 2)
      end
      cells[j] = { type = "TableCell", items = { item } }
    end
    result.rows[i] = { type = "TableRow", cells = cells }
  end
  with(result, rows)
  result.header, result.firstRowAsHeader = nil, rows.header == true
  if type(rows.columns) == "table" then
    result.columns = {}
    for i, column in ipairs(rows.columns) do
      result.columns[i] = type(column) == "string"
        and { horizontalCellContentAlignment = column } or column
    end
  end
  return result
end

--- One element for each item: `ui.list(state.todos, function(todo, i) return todo.title end)`.
-- Items for which the function returns nil or false are skipped. With the options `id` and
-- `rows = self.visible_rows`, the function is called only for the rows that are seen. The number
-- of the items may then take their place.
function ui.list(items, element_of, options)
  if type(items) ~= "number" then expect(items, "table", "ui.list takes a table of items") end
  expect(element_of, "function", "ui.list takes a function that makes an element of an item")
  expect_options(options, "ui.list")
  local is_partial = options ~= nil and options.rows ~= nil
  local element = with({ type = is_partial and "List" or "Container" }, options)
  local fill = is_partial and lists.add_rows or lists.add_items
  fill(element, items, element_of)
  return element
end

--- Shows an element only if a condition holds: `ui.when(state.open, "It is open", "It is closed")`.
-- A function that makes an element may take its place. It is called only if it is needed.
function ui.when(condition, element, otherwise)
  if not condition then element = otherwise end
  if type(element) == "function" then element = element() end
  if element and not is_element(element) and not is_list(element) then
    error("ui.when takes elements, or functions that return one, but got a " .. type(element), 2)
  end
  return element or nil
end

--- Actions side by side. A body may also hold actions directly.
function ui.actions(actions)
  expect(actions, "table", "ui.actions takes a table of actions")
  return with({ type = "ActionSet", actions = lists.actions(actions, "ui.actions") }, actions)
end

--- A button that shows others to choose from: `ui.menu("Sort", { ui.button("By name", "sort") })`.
function ui.menu(title, actions)
  expect(title, "string", "ui.menu takes a title first, which is a string")
  expect(actions, "table", "ui.menu takes a table of actions second")
  local values = lists.actions(actions, "ui.menu")
  for i, action in ipairs(values) do values[i] = with({ mode = "secondary" }, action) end
  return with({ type = "ActionSet", title = title, actions = values }, actions)
end

-- Checks the payload of a button.
local function expect_data(data, name)
  if data ~= nil and type(data) ~= "table" then
    error(name .. " takes the action's payload third, which is a table such as { by = 1 }, not a "
      .. type(data), 3)
  end
end

--- A button. `ui.button("Add", "add", { by = 1 })` dispatches an action with that payload and the
-- values of the screen's inputs. With the option `inputs = false`, the action is dispatched without
-- them, even if some are missing. A second argument that is a URL or begins with a slash is opened
-- instead. It may also be an action, `{ type, payload }`, such as those of a connection.
function ui.button(title, target, data, options)
  expect(title, "string", "ui.button takes a title first, which is a string")
  if type(target) == "table" and type(target.type) == "string" then
    data = data or target.payload
    target = target.type
  end
  expect(target, "string", "ui.button takes an action's type or a URL second")
  expect_data(data, "ui.button")
  expect_options(options, "ui.button")
  if sub(target, 1, 1) == "/" or find(target, "://", 1, true) then
    return with({ type = "Action.OpenUrl", title = title, url = target }, options)
  end
  return with({ type = "Action.Execute", title = title, verb = target, data = data }, options)
end

--- A button that opens a URL: `ui.open("Settings", "/settings")`.
function ui.open(title, url, options)
  expect(title, "string", "ui.open takes a title first, which is a string")
  expect(url, "string", "ui.open takes a URL second, which is a string")
  expect_options(options, "ui.open")
  return with({ type = "Action.OpenUrl", title = title, url = url }, options)
end

--- A button that submits the values of the inputs. The action's type is optional.
function ui.submit(title, verb, data, options)
  expect(title, "string", "ui.submit takes a title first, which is a string")
  if verb ~= nil then expect(verb, "string", "ui.submit takes an action's type second") end
  expect_data(data, "ui.submit")
  expect_options(options, "ui.submit")
  return with({ type = "Action.Submit", title = title, verb = verb, data = data }, options)
end

--- A button that shows hidden elements and hides shown ones, given an id or a table of ids.
function ui.toggle_visibility(title, ids, options)
  expect(title, "string", "ui.toggle_visibility takes a title first, which is a string")
  if type(ids) == "string" then ids = { ids } end
  expect(ids, "table", "ui.toggle_visibility takes an id, or a table of ids")
  expect_options(options, "ui.toggle_visibility")
  return with(
    { type = "Action.ToggleVisibility", title = title, targetElements = ids }, options)
end

--- A button that shows more elements, and hides them again: `ui.show_card("More", { "text" })`.
function ui.show_card(title, items, options)
  expect(title, "string", "ui.show_card takes a title first, which is a string")
  expect(items, "table", "ui.show_card takes a table of elements second")
  expect_options(options, "ui.show_card")
  local card = { type = "AdaptiveCard", body = elements(items, "ui.show_card") }
  return with({ type = "Action.ShowCard", title = title, card = card }, options)
end

-- Makes the constructor of an input. Every input needs an `id`.
local function input(name, kind, is_multiline)
  return function(options)
    if type(options) ~= "table" or type(options.id) ~= "string" then
      error("ui." .. name .. " takes a table with an id: ui." .. name
        .. " { id = \"name\", label = \"Name\" }", 2)
    end
    return with({ type = kind, isMultiline = is_multiline }, options)
  end
end

--- A text field: `ui.input { id = "name", label = "Name" }`.
ui.input = input("input", "Input.Text")
--- A text field of several lines: `ui.editor { id = "text", rows = 10 }`.
ui.editor = input("editor", "Input.Text", true)
--- A number field, with `min` and `max`.
ui.number = input("number", "Input.Number")
--- A date field, for values such as `2026-01-31`.
ui.date = input("date", "Input.Date")
--- A time field, for values such as `23:59`.
ui.time = input("time", "Input.Time")

--- A switch: `ui.toggle { id = "done", title = "Done", value = true }`.
function ui.toggle(options)
  if type(options) ~= "table" or type(options.id) ~= "string" then
    error("ui.toggle takes a table with an id: ui.toggle { id = \"done\", title = \"Done\" }", 2)
  end
  local element = with({ type = "Input.Toggle" }, options)
  element.title = element.title or element.label or element.id
  if not options.title then element.label = nil end
  return element
end

--- A choice of one value, or of several with `multiple`. Each choice is a value, or a pair of a
-- title and a value: `ui.choice { id = "size", choices = { "S", "M" } }`.
function ui.choice(options)
  if type(options) ~= "table" or type(options.id) ~= "string"
    or type(options.choices) ~= "table" then
    error("ui.choice takes a table with an id and choices: "
      .. "ui.choice { id = \"size\", choices = { \"S\", \"M\" } }", 2)
  end
  local element = with({ type = "Input.ChoiceSet" }, options)
  element.choices = {}
  local choices, places = shown(options.choices)
  for i, choice in ipairs(choices) do
    local title, value
    if type(choice) ~= "table" then
      title, value = text_of(choice), choice
    elseif choice.title ~= nil or choice.value ~= nil then
      title, value = text_of(choice.title), choice.value
    else
      title, value = text_of(choice[1]), choice[2]
    end
    if not title or value == nil then
      error("ui.choice: choice " .. places[i]
        .. " is neither a value nor a pair of a title and a value", 2)
    end
    element.choices[i] = { title = title, value = value }
  end
  return element
end

return ui
