-- Kinds of record and their views, for `moon.entities`.
local setmetatable, type, tostring = setmetatable, type, tostring
local pairs, ipairs, sort, format, find = pairs, ipairs, table.sort, string.format, string.find
local next, tointeger, math_type = next, math.tointeger, math.type

return function(parts)
  local native, fail, mark, inside = parts.native, parts.fail, parts.mark, parts.inside

  local function wrong(name, text) fail("entities." .. name, "bad_argument", text) end

  local function check(value, kind, name, what)
    if type(value) ~= kind then
      wrong(name, format("%s must be a %s, not a %s", what, kind, type(value)))
    end
  end

  -- Refuses keys of a table that aren't among some.
  local function check_keys(given, known, name, what)
    for key in next, given do
      local is_known = false
      for _, one in ipairs(known) do is_known = is_known or one == key end
      if not is_known then
        local nearest = type(key) == "string" and native.nearest(key, known)
        wrong(name, format("%s has no key '%s'%s", what, tostring(key),
          nearest and format("; did you mean '%s'?", nearest) or ""))
      end
    end
  end

  -- Kinds ---------------------------------------------------------------------------------------

  local Kind = {
    __name = "kind", __metatable = false,
    __tostring = function(kind) return "kind " .. inside(kind).name end,
  }
  Kind.__index = Kind

  -- Returns an id as stores use it: a text, or an integer.
  local function checked_id(kind, id, name)
    local number = math_type(id) and tointeger(id)
    if number then return number end
    if type(id) == "string" and id ~= "" then return id end
    fail("entities." .. name, "no_id", format(
      "a %s is known by a text or an integer%s, not %s", kind.name,
      type(kind.id) == "string" and " under '" .. kind.id .. "'" or "",
      id == nil and "nothing" or type(id) == "string" and "an empty text" or tostring(id)))
  end

  -- Checks a view of a kind; one that sorts or groups by a field names one that the kind has.
  local function check_view(view, name, view_name, own)
    check(view, "table", name, "a view")
    check_keys(view, { "filter", "sort", "descending", "group", "limit" }, name, "a view")
    for key, kind in pairs { filter = "function", descending = "boolean", limit = "number" } do
      if view[key] ~= nil then check(view[key], kind, name, key) end
    end
    if view.limit and not (tointeger(view.limit) and view.limit >= 0) then
      wrong(name, format("limit must be an integer from 0 on, not %s", view.limit))
    end
    for _, key in ipairs { "sort", "group" } do
      local kind = type(view[key])
      if kind ~= "nil" and kind ~= "string" and kind ~= "function" then
        wrong(name, format("%s must be the name of a field or a function, not a %s", key, kind))
      end
      if kind == "string" and own.fields and not own.fields[view[key]] then
        local known = {}
        for field in pairs(own.fields) do known[#known + 1] = field end
        local nearest = native.nearest(view[key], known)
        wrong(name, format("the view '%s' has %s = \"%s\", and %s has no field '%s'%s",
          view_name, key, view[key], own.name, view[key],
          nearest and format("; did you mean '%s'?", nearest) or ""))
      end
    end
  end

  -- Returns the declaration of a type as plain data: the key `string` stands for all keys of a map,
  -- and a first element "?" says that it may be left out.
  local function plain_type(declared, depth)
    if type(declared) ~= "table" or depth > 16 then return declared end
    local plain, is_list = {}, #declared > 0
    for key in next, declared do is_list = is_list and math_type(key) == "integer" end
    for key, part in next, declared do
      if key == _G.string then
        key = "[string]"
      elseif key == 1 and part == "?" and not is_list then
        key = "?"
      end
      plain[key] = plain_type(part, depth + 1)
    end
    return plain
  end

  --- Declares a kind of record.
  local function kind(declared)
    check(declared, "table", "kind", "the declaration")
    local known = { "name", "fields", "id", "version", "migrate", "views" }
    check_keys(declared, known, "kind", "a kind")
    local own = {
      name = declared.name, fields = declared.fields, id = declared.id or "id", views = {},
      version = declared.version or 0, migrate = declared.migrate,
    }
    check(own.name, "string", "kind", "name")
    if not find(own.name, "^[%a_][%w_]*$") then
      wrong("kind", format("'%s' is no name: write letters, digits and underscores", own.name))
    end
    if own.fields ~= nil then
      check(own.fields, "table", "kind", "fields")
      own.fields = plain_type(own.fields, 0)
      local problem = native.problem_of_fields(own.fields)
      if problem then wrong("kind", format("%s: %s", own.name, problem)) end
    end
    if type(own.id) ~= "function" then
      check(own.id, "string", "kind", "id")
      if own.fields and not own.fields[own.id] then
        wrong("kind", format("%s: its id '%s' isn't among its fields", own.name, own.id))
      end
    end
    if math_type(own.version) ~= "integer" then wrong("kind", "version must be an integer") end
    if own.migrate ~= nil then check(own.migrate, "function", "kind", "migrate") end
    if declared.views ~= nil then check(declared.views, "table", "kind", "views") end
    for name, view in pairs(declared.views or {}) do
      check_view(view, "kind", tostring(name), own)
      own.views[name] = view
    end
    function own.identify(record, name)
      local id = own.id
      if type(id) == "function" then id = id(record) else id = record[id] end
      return checked_id(own, id, name or "all")
    end
    return setmetatable({ [mark] = own }, Kind)
  end

  -- Views ---------------------------------------------------------------------------------------

  local ranks = { boolean = 1, number = 2, string = 3 }

  -- Whether a value comes before another one; those of one type, in the order of types.
  local function precedes(a, b)
    local left, right = ranks[type(a)] or 4, ranks[type(b)] or 4
    if left ~= right then return left < right end
    if left == 1 then return not a and b end
    return left < 4 and a < b
  end

  local function sorted(records, view)
    local by, place = view.sort, {}
    if by == nil then return records end
    for i, record in ipairs(records) do place[record] = i end
    local before = by
    if type(by) == "string" then
      before = function(a, b) return precedes(a[by], b[by]) end
    end
    sort(records, function(a, b)
      if view.descending then
        if before(b, a) then return true elseif before(a, b) then return false end
      else
        if before(a, b) then return true elseif before(b, a) then return false end
      end
      return place[a] < place[b]
    end)
    return records
  end

  -- The groups of a record: a list.
  local function groups_of(view, record)
    local group = view.group
    if type(group) == "function" then group = group(record) else group = record[group] end
    if type(group) == "table" then return group end
    return { group }
  end

  local function is_in(view, record, group)
    for _, one in ipairs(groups_of(view, record)) do
      if one == group then return true end
    end
    return false
  end

  return {
    wrong = wrong, check = check, kind = kind, checked_id = checked_id, check_view = check_view,
    sorted = sorted, groups_of = groups_of, is_in = is_in,
  }
end
