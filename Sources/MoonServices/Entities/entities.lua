-- `moon.entities`: typed records with the same calls in a table, in the storage and elsewhere.
-- Returns a function that makes the service's table from the host's functions.
--
-- A store checks what it is given and calls its backend, a table of functions: `get(kind, id)`,
-- `put(kind, id, record)`, `delete(kind, id)` and `each(kind)`, which returns a list of
-- {id, record} in the order of the ids.
local setmetatable, rawget, type, error = setmetatable, rawget, type, error
local pairs, ipairs, sort, format = pairs, ipairs, table.sort, string.format
local sub, tonumber, math_type = string.sub, tonumber, math.type
local moon = require "moonwire"

-- The maximum number of entries on a page of the storage.
local page_max = 1000

-- The key of the private fields of a kind or a store.
local mark = {}

local function inside(value) return type(value) == "table" and rawget(value, mark) or nil end

-- The order of ids: integers, then texts by their bytes. `pairs` has texts in that order already.
local function in_order(by_key)
  local entries, numbers = {}, {}
  for _, entry in pairs(by_key) do
    local list = math_type(entry[1]) and numbers or entries
    list[#list + 1] = entry
  end
  sort(numbers, function(a, b) return a[1] < b[1] end)
  for _, entry in ipairs(entries) do numbers[#numbers + 1] = entry end
  return numbers
end

-- The key of an id in a table of the state, where keys are texts: `#42` for an integer.
local function key_of(id)
  if math_type(id) then return "#" .. id end
  return sub(id, 1, 1) == "#" and "#" .. id or id
end

local function id_of(key)
  if sub(key, 1, 1) ~= "#" then return key end
  return sub(key, 2, 2) == "#" and sub(key, 2) or tonumber(sub(key, 2))
end

-- The key of an id in the storage, where the order of keys is that of ids.
local function stored_prefix(kind) return "entities/" .. kind.name .. "/" end

local function stored_key(kind, id)
  if math_type(id) then return stored_prefix(kind) .. format("!%016x", id ~ math.mininteger) end
  return stored_prefix(kind) .. "=" .. id
end

local function id_of_stored(kind, key)
  local text = sub(key, #stored_prefix(kind) + 1)
  if sub(text, 1, 1) == "=" then return sub(text, 2) end
  return tonumber(sub(text, 2), 16) ~ math.mininteger
end

return function(native, fail)
  -- Backends ------------------------------------------------------------------------------------

  -- Records in a table: plain, or a part of the state. A deleted record leaves its id.
  local function table_backend(data)
    local function part(kind) return data[kind.name] end
    local function made(kind)
      if data[kind.name] == nil then
        data[kind.name] = { records = {}, updated = {}, deleted = {} }
      end
      return data[kind.name]
    end
    local backend = { data = data }
    function backend.get(kind, id)
      local found = part(kind)
      local record = found and found.records[key_of(id)]
      return record and native.copy(record)
    end
    function backend.put(kind, id, record)
      local own, key = made(kind), key_of(id)
      own.records[key], own.updated[key], own.deleted[key] = record, true, nil
    end
    function backend.add(kind, id, record) made(kind).records[key_of(id)] = record end
    function backend.delete(kind, id)
      local own, key = made(kind), key_of(id)
      own.records[key], own.updated[key], own.deleted[key] = nil, nil, true
    end
    function backend.each(kind)
      local found, all = part(kind), {}
      for key, record in pairs(found and found.records or {}) do
        all[key] = { id_of(key), native.copy(record) }
      end
      return in_order(all)
    end
    return backend
  end

  -- Returns a record as its kind now declares it.
  local function current(kind, id, kept)
    local record, version = kept.record, kept.version
    if version == kind.version then return record end
    if version > kind.version then
      fail("entities.get", "newer", format("the %s '%s' was stored by version %d of its kind, "
        .. "which is %d now", kind.name, id, version, kind.version))
    end
    if kind.migrate then record = kind.migrate(record, version) end
    local checked, problem = native.checked(record, kind.fields)
    if problem then
      fail("entities.get", "bad_record", format("%s '%s' of version %d: %s", kind.name, id,
        version, problem))
    end
    return checked
  end

  -- Records in the storage, or in a transaction of it.
  local function storage_backend(get, set, delete, list)
    local backend = {}
    function backend.get(kind, id)
      local kept = get(stored_key(kind, id))
      return kept and current(kind, id, kept)
    end
    function backend.put(kind, id, record)
      set(stored_key(kind, id), { version = kind.version, record = record })
    end
    function backend.delete(kind, id) delete(stored_key(kind, id)) end
    function backend.each(kind)
      local all, after = {}, nil
      repeat
        local page
        page, after = list(stored_prefix(kind), { after = after, limit = page_max })
        for _, entry in ipairs(page) do
          local id = id_of_stored(kind, entry.key)
          all[#all + 1] = { id, current(kind, id, entry.value) }
        end
      until not after
      return all
    end
    return backend
  end

  local function storage()
    return moon.storage or fail("entities.stored", "unavailable", "the program has no storage")
  end

  local function transaction_backend(t)
    return storage_backend(
      function(key) return t:get(key) end, function(key, value) t:set(key, value) end,
      function(key) t:delete(key) end, function(prefix, options) return t:list(prefix, options) end)
  end

  local function stored_backend()
    local backend = storage_backend(
      function(key) return storage().get(key) end,
      function(key, value) storage().set(key, value) end,
      function(key) storage().delete(key) end,
      function(prefix, options) return storage().list(prefix, options) end)
    backend.is_stored, backend.within = true, transaction_backend
    return backend
  end

  -- Calls a function with a backend for several changes of a kind, which the storage carries out
  -- together.
  local function together(backend, kind, f)
    while backend.member do backend = backend.member(kind) end
    if not backend.is_stored then return f(backend) end
    storage().transaction(function(t) f(backend.within(t)) end)
  end

  -- Records that functions of the script keep.
  local function functional_backend(functions)
    local backend = {}
    function backend.each(kind)
      local all = {}
      for _, record in ipairs(functions.all() or {}) do
        local id = kind.identify(record)
        all[key_of(id)] = { id, record }
      end
      return in_order(all)
    end
    function backend.get(kind, id)
      if functions.get then return functions.get(id) end
      for _, entry in ipairs(backend.each(kind)) do
        if entry[1] == id then return entry[2] end
      end
    end
    function backend.put(_, id, record) functions.put(record, id) end
    function backend.delete(_, id) functions.delete(id) end
    return backend
  end

  -- Changes that aren't carried out yet, above another backend.
  local function overlay(below)
    local changes, kinds, backend = {}, {}, {}
    local function of(kind)
      kinds[kind.name], changes[kind.name] = kind, changes[kind.name] or {}
      return changes[kind.name]
    end
    function backend.get(kind, id)
      local change = of(kind)[key_of(id)]
      if not change then return below.get(kind, id) end
      return change[2] and native.copy(change[2]) or nil
    end
    function backend.put(kind, id, record) of(kind)[key_of(id)] = { id, record } end
    function backend.delete(kind, id) of(kind)[key_of(id)] = { id, false } end
    function backend.each(kind)
      local all = {}
      for _, entry in ipairs(below.each(kind)) do all[key_of(entry[1])] = entry end
      for key, change in pairs(of(kind)) do
        all[key] = change[2] and { change[1], native.copy(change[2]) } or nil
      end
      return in_order(all)
    end
    -- Deletions first.
    function backend.apply()
      for name, kind in pairs(kinds) do
        for _, change in pairs(changes[name]) do
          if not change[2] then below.delete(kind, change[1]) end
        end
        for _, change in pairs(changes[name]) do
          if change[2] then below.put(kind, change[1], change[2]) end
        end
      end
    end
    return backend
  end

  -- The first of several stores that has the kind.
  local function composed_backend(members)
    local backend = { members = members }
    local function member(kind)
      for _, one in ipairs(members) do
        if one.kinds[kind.name] then return one.backend end
      end
    end
    backend.member = member
    for _, name in ipairs { "get", "put", "delete", "each" } do
      backend[name] = function(kind, ...) return member(kind)[name](kind, ...) end
    end
    for _, one in ipairs(members) do
      backend.is_stored = backend.is_stored or one.backend.is_stored
    end
    return backend
  end

  -- Returns the backend for use in a transaction; adds those to `overlays` whose changes are to be
  -- carried out at its end. `t` is the transaction of the storage.
  local function within(backend, t, overlays)
    if backend.members then
      local members = {}
      for i, one in ipairs(backend.members) do
        members[i] = { kinds = one.kinds, backend = within(one.backend, t, overlays) }
      end
      return composed_backend(members)
    end
    if backend.is_stored then return transaction_backend(t) end
    overlays[#overlays + 1] = overlay(backend)
    return overlays[#overlays]
  end

  return require "moonwire.service.entities.stores" {
    native = native, fail = fail, mark = mark, inside = inside, within = within, id_of = id_of,
    together = together,
    table_backend = table_backend, stored_backend = stored_backend,
    functional_backend = functional_backend, composed_backend = composed_backend,
  }
end
