-- The stores of `moon.entities`, above the backends.
local setmetatable, type, error, tostring = setmetatable, type, error, tostring
local pairs, ipairs, pack, unpack = pairs, ipairs, table.pack, table.unpack
local select = select
local rawget, rawlen = rawget, rawlen
local sort, concat, format = table.sort, table.concat, string.format
local moon = require "moonwire"

return function(parts)
  local native, fail, mark, inside = parts.native, parts.fail, parts.mark, parts.inside

  local kinds_part = require "moonwire.service.entities.kinds"(parts)
  local wrong, check, checked_id = kinds_part.wrong, kinds_part.check, kinds_part.checked_id
  local check_view, groups_of = kinds_part.check_view, kinds_part.groups_of
  local made = { kind = kinds_part.kind }

  -- Stores --------------------------------------------------------------------------------------

  local Store = { __name = "store", __metatable = false }
  Store.__index = Store
  local Typed = { __name = "store", __metatable = false }
  Typed.__index = Typed

  local function store_over(backend, kinds, views)
    return setmetatable({ [mark] = { backend = backend, kinds = kinds, views = views } }, Store)
  end

  local function own_of(store, name)
    local own = inside(store)
    return own and own.kinds and own
      or error(format("%s is a method: write store:%s(…)", name, name), 3)
  end

  local function name_of(kind)
    local declared = inside(kind)
    return declared and declared.name or kind
  end

  -- Returns the private fields of a store and the kind with a name.
  local function served(store, kind, name)
    local own = own_of(store, name)
    local found = own.kinds[name_of(kind)]
    if found then return own, found end
    local names = {}
    for known in pairs(own.kinds) do names[#names + 1] = known end
    fail("entities." .. name, "unknown_kind", format(
      "the store has no kind %s; it has %s", tostring(name_of(kind)), concat(names, ", ")))
  end

  local function id_of(kind, id, name)
    if type(id) == "table" then return kind.identify(id, name) end
    return checked_id(kind, id, name)
  end

  -- Returns the id of a record, and a copy of it.
  local function checked(kind, record, name)
    check(record, "table", name, "a record")
    local copy, problem = native.checked(record, kind.fields)
    if problem then
      fail("entities." .. name, "bad_record", format("%s: %s", kind.name, problem))
    end
    return kind.identify(copy, name), copy
  end

  --- Stores a record under its id, replacing an existing one; returns the id.
  function Store:put(kind, record)
    local own, found = served(self, kind, "put")
    local id, copy = checked(found, record, "put")
    own.backend.put(found, id, copy)
    return id
  end

  --- Stores several records, or none if one is wrong.
  function Store:put_all(kind, records)
    local own, found = served(self, kind, "put_all")
    check(records, "table", "put_all", "the records")
    local entries = {}
    for i, record in ipairs(records) do entries[i] = pack(checked(found, record, "put_all")) end
    parts.together(own.backend, found, function(backend)
      for _, entry in ipairs(entries) do backend.put(found, entry[1], entry[2]) end
    end)
  end

  --- The record with an id; nil if there is none.
  function Store:get(kind, id)
    local own, found = served(self, kind, "get")
    return own.backend.get(found, checked_id(found, id, "get"))
  end

  --- All records, in the order of their ids.
  function Store:all(kind)
    local own, found = served(self, kind, "all")
    local records = moon.list()
    for i, entry in ipairs(own.backend.each(found)) do records[i] = entry[2] end
    return records
  end

  --- The number of records.
  function Store:count(kind) return #self:all(kind) end

  --- Deletes the record with an id, or a record, whether or not there is one.
  function Store:delete(kind, id)
    local own, found = served(self, kind, "delete")
    own.backend.delete(found, id_of(found, id, "delete"))
  end

  --- Deletes several, or none if one is no id.
  function Store:delete_all(kind, ids)
    local own, found = served(self, kind, "delete_all")
    check(ids, "table", "delete_all", "the ids")
    local all = {}
    for i, id in ipairs(ids) do all[i] = id_of(found, id, "delete_all") end
    parts.together(own.backend, found, function(backend)
      for _, id in ipairs(all) do backend.delete(found, id) end
    end)
  end

  --- Whether there is a record with an id; false also for a kind that the store doesn't have.
  function Store:exists(kind, id)
    if not self:serves(kind) then return false end
    local own, found = served(self, kind, "exists")
    return own.backend.get(found, id_of(found, id, "exists")) ~= nil
  end

  --- The records for which a function returns true.
  function Store:filter(kind, is_wanted)
    check(is_wanted, "function", "filter", "the condition")
    local records = moon.list()
    for _, record in ipairs(self:all(kind)) do
      if is_wanted(record) then records[#records + 1] = record end
    end
    return records
  end

  -- Returns a view and its records, before its limit.
  local function viewed(store, kind, name, method)
    local own, found = served(store, kind, method)
    local added = own.views[found.name]
    local view = added and added[name] or found.views[name]
    if not view then
      fail("entities." .. method, "unknown_view",
        format("%s has no view '%s'", found.name, tostring(name)))
    end
    local records = view.filter and store:filter(kind, view.filter) or store:all(kind)
    return view, kinds_part.sorted(records, view)
  end

  local function check_grouping(view, name, method)
    if view.group == nil then
      fail("entities." .. method, "no_groups", format("the view '%s' has no groups", name))
    end
  end

  --- The records of a view, or those in one of its groups.
  function Store:view(kind, name, ...)
    local view, records = viewed(self, kind, name, "view")
    local group = ...
    if group == nil and select("#", ...) > 0 then
      wrong("view", "the group is nil: leave it out for all records")
    end
    if group ~= nil then check_grouping(view, name, "view") end
    local chosen = moon.list()
    for _, record in ipairs(records) do
      if view.limit and #chosen >= view.limit then break end
      if group == nil or kinds_part.is_in(view, record, group) then chosen[#chosen + 1] = record end
    end
    return chosen
  end

  --- The groups of a view in the order of its records: a list of `{group, count}`.
  function Store:groups(kind, name)
    local view, records = viewed(self, kind, name, "groups")
    check_grouping(view, name, "groups")
    local groups, by_group = moon.list(), {}
    for _, record in ipairs(records) do
      for _, group in ipairs(groups_of(view, record)) do
        if not by_group[group] then
          by_group[group] = { group = group, count = 0 }
          groups[#groups + 1] = by_group[group]
        end
        by_group[group].count = by_group[group].count + 1
      end
    end
    return groups
  end

  --- Adds a view to this store, or replaces one.
  function Store:add_view(kind, name, view)
    local own, found = served(self, kind, "add_view")
    check(name, "string", "add_view", "the name")
    check_view(view, "add_view", name, found)
    own.views[found.name] = own.views[found.name] or {}
    own.views[found.name][name] = view
  end

  --- Calls a function with a store, and carries out its changes together, or none if it fails.
  function Store:transaction(f)
    local own = own_of(self, "transaction")
    check(f, "function", "transaction", "the argument")
    local overlays, results
    local function run(t)
      overlays = {}
      local backend = parts.within(own.backend, t, overlays)
      results = pack(f(store_over(backend, own.kinds, own.views)))
    end
    if own.backend.is_stored then moon.storage.transaction(run) else run() end
    for _, one in ipairs(overlays) do one.apply() end
    return unpack(results, 1, results.n)
  end

  --- Whether the store has a kind.
  function Store:serves(kind) return own_of(self, "serves").kinds[name_of(kind)] ~= nil end

  --- The version of a kind.
  function Store:version(kind)
    local _, found = served(self, kind, "version")
    return found.version
  end

  -- Returns what a store in a table knows of a kind.
  local function tracked(store, kind, method)
    local own, found = served(store, kind, method)
    if own.backend.data then return own.backend.data[found.name] end
    fail("entities." .. method, "not_tracked", "only a store in a table knows its changes")
  end

  --- What has changed in a store in a table: `{updated = records, deleted = ids}`.
  function Store:changes(kind)
    local part = tracked(self, kind, "changes")
    local updated, deleted = moon.list(), moon.list()
    for key in pairs(part and part.updated or {}) do
      updated[#updated + 1] = native.copy(part.records[key])
    end
    for key in pairs(part and part.deleted or {}) do deleted[#deleted + 1] = parts.id_of(key) end
    return { updated = updated, deleted = deleted }
  end

  --- Forgets what has changed.
  function Store:forget_changes(kind)
    local part = tracked(self, kind, "forget_changes")
    if part then part.updated, part.deleted = {}, {} end
  end

  --- The same calls for one kind, without its name.
  function Store:of(kind)
    local _, found = served(self, kind, "of")
    return setmetatable({ [mark] = { store = self, kind = found.name } }, Typed)
  end

  for name, method in pairs(Store) do
    if type(method) == "function" then
      Typed[name] = function(typed, ...)
        local own = inside(typed)
        if not (own and own.store) then
          error(format("%s is a method: write store:%s(…)", name, name), 2)
        end
        return method(own.store, own.kind, ...)
      end
    end
  end
  Typed.of, Typed.serves = nil, nil

  function Typed:transaction(f)
    local own = inside(self)
    check(f, "function", "transaction", "the argument")
    return own.store:transaction(function(store) return f(store:of(own.kind)) end)
  end

  local function make_write_only(backend)
    local function refuse() fail("entities.get", "write_only", "the store can only be written") end
    backend.get, backend.each = refuse, refuse
  end

  -- Returns the items of a list of the script's, whatever its metatable does.
  local function items(list)
    local found = {}
    for i = 1, rawlen(list) do found[i] = rawget(list, i) end
    return found
  end

  -- Makes a store of one kind, or of several in a list.
  local function made_store(name, backend, kinds, options)
    options = options or {}
    check(options, "table", name, "the options")
    if options.mode ~= nil and options.mode ~= "w" then wrong(name, "mode must be \"w\"") end
    local by_name, single = {}, inside(kinds)
    check(kinds, "table", name, "what it is for")
    for _, kind in ipairs(single and { kinds } or items(kinds)) do
      local own = inside(kind)
      if not (own and own.identify) then wrong(name, "it takes kinds: moon.entities.kind { … }") end
      by_name[own.name] = own
    end
    if options.mode then make_write_only(backend) end
    local store = store_over(backend, by_name, {})
    return single and store:of(kinds) or store, by_name
  end

  --- Makes a store in a table, which may be a part of the state. The records in the options don't
  --- count as changed.
  function made.memory(kinds, ...)
    local data, options = ...
    if data == nil then
      if select("#", ...) > 0 then
        wrong("memory", "its table is nil: is the field that has it misspelt? "
          .. "Write {} for a table of its own")
      end
      data = {}
    end
    check(data, "table", "memory", "its table")
    local backend = parts.table_backend(data)
    local store, by_name = made_store("memory", backend, kinds, options)
    for name, records in pairs(options and options.records or {}) do
      local kind = by_name[name]
      if not kind then wrong("memory", format("records: there is no kind %s", tostring(name))) end
      check(records, "table", "memory", "the records of " .. name)
      for _, record in ipairs(records) do backend.add(kind, checked(kind, record, "memory")) end
    end
    return store
  end

  --- Makes a store in the module's storage.
  function made.stored(kinds, options)
    return (made_store("stored", parts.stored_backend(), kinds, options))
  end

  --- Makes a store of one kind from functions.
  function made.functional(kind, functions, options)
    check(functions, "table", "functional", "its functions")
    for _, name in ipairs { "put", "delete", "all" } do
      check(functions[name], "function", "functional", name)
    end
    if functions.get ~= nil then check(functions.get, "function", "functional", "get") end
    return (made_store("functional", parts.functional_backend(functions), kind, options))
  end

  --- Makes a store of other stores; the first one that has a kind is used for it.
  function made.composed(stores)
    check(stores, "table", "composed", "the list of stores")
    local members, kinds, views = {}, {}, {}
    for i, entry in ipairs(items(stores)) do
      local store, priority = entry, 0
      if type(entry) == "table" and not inside(entry) then
        store, priority = entry[1], entry.priority or 0
      end
      check(priority, "number", "composed", "priority")
      local own = inside(store)
      own = own and own.store and inside(own.store) or own
      if not (own and own.kinds) then wrong("composed", "it takes a list of stores") end
      members[i] = { kinds = own.kinds, backend = own.backend, own = own, priority = priority,
        place = i }
    end
    sort(members, function(a, b)
      if a.priority ~= b.priority then return a.priority > b.priority end
      return a.place < b.place
    end)
    for _, member in ipairs(members) do
      for name, kind in pairs(member.kinds) do
        if not kinds[name] then
          kinds[name], views[name] = kind, member.own.views[name]
        end
      end
    end
    return store_over(parts.composed_backend(members), kinds, views)
  end

  return made
end
