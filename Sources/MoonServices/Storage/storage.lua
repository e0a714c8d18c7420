-- The transactions of `moon.storage`. Returns a function that makes the service's table from the
-- host's functions.
local setmetatable, rawget, type, error = setmetatable, rawget, type, error
local pcall, pairs, pack, unpack = pcall, pairs, table.pack, table.unpack
local format, gsub = string.format, string.gsub

-- The maximum number of attempts at one transaction.
local attempts_max = 16

-- The attempt from which new transactions wait for this one.
local urgent_attempt = 4

-- The key of a transaction's private fields.
local mark = {}

-- The error that ends an attempt and lets the next one begin.
local conflict = setmetatable({}, {
  __name = "conflict",
  __tostring = function() return "others changed what the transaction had read" end,
})

-- The names that errors of the host's functions get, after `storage.`.
local shown = {
  get_text = "transaction:get", value_of = "transaction:get", set_later = "transaction:set",
  list_pending = "transaction:list", check_reads = "transaction", commit = "transaction",
  turn = "transaction", is_urgent = "transaction",
}

return function(host, fail)
  local function finish_call(name, done, ...)
    if done then return ... end
    local problem = ...
    if type(problem) == "table" and problem.reason then
      fail("storage." .. name, problem.code, (gsub(problem.reason, "^moon%.storage%.[%w_]+: ", "")))
    end
    error(problem, 0)
  end

  -- The host's functions, whose errors name what the script has called.
  local native = {}
  for key, f in pairs(host) do native[key] = f end
  for key, name in pairs(shown) do
    native[key] = function(...) return finish_call(name, pcall(host[key], ...)) end
  end

  local Transaction = { __name = "transaction", __metatable = false }
  Transaction.__index = Transaction

  local function own_of(transaction, method)
    local own = type(transaction) == "table" and rawget(transaction, mark)
    if not own then error(format("%s is a method: write t:%s(…)", method, method), 3) end
    if own.is_over then fail("storage.transaction:" .. method, "closed", "it is over") end
    if own.is_late then error(conflict, 0) end
    return own
  end

  -- Ends the attempt if others changed what was read. `version` is the module's, as of the latest
  -- read.
  local function advance(own, version)
    own.version = own.version or version
    if own.version == version then return end
    own.version = native.check_reads(own.keys, own.ranges, own.is_last)
    if own.version then return end
    own.is_late = true
    error(conflict, 0)
  end

  -- Returns the text under a key, or false.
  local function text_of(own, key)
    local text = own.changes[key]
    if text == nil then text = own.texts[key] end
    if text ~= nil then return text end
    local found, version, module_version = native.get_text(key)
    own.keys[key], own.texts[key] = version, found or false
    advance(own, module_version)
    return found or false
  end

  local function list(own, values, prefix, options)
    if type(prefix) == "table" then prefix, options = nil, prefix end
    if options ~= nil and type(options) ~= "table" then
      fail("storage.transaction:list", "bad_argument",
        "it takes a prefix, and a table such as { after = key, limit = 10 }")
    end
    local all = { pending = own.changes, values = values }
    for key, option in pairs(options or {}) do all[key] = option end
    local page, after, range, version = native.list_pending(prefix, all)
    own.ranges[#own.ranges + 1] = range
    advance(own, version)
    return page, after
  end

  --- The value under a key, also one that the transaction has set.
  function Transaction:get(key)
    local text = text_of(own_of(self, "get"), key)
    if text then return native.value_of(key, text) end
    return nil
  end

  --- Stores a value when the transaction ends.
  function Transaction:set(key, value)
    local own = own_of(self, "set")
    own.changes[key] = native.set_later(key, value)
  end

  --- Deletes the value under a key when the transaction ends; returns whether there is one.
  function Transaction:delete(key)
    local own = own_of(self, "delete")
    local exists = text_of(own, key) ~= false
    own.changes[key] = false
    return exists
  end

  --- A page of keys with a prefix and their values, and the last key if more follow.
  function Transaction:list(prefix, options)
    return list(own_of(self, "list"), true, prefix, options)
  end

  --- A page of keys with a prefix, and the last key if more follow.
  function Transaction:keys(prefix, options)
    return list(own_of(self, "keys"), false, prefix, options)
  end

  -- Calls the function once; returns whether the transaction has ended, and the results.
  local function attempt(f, is_last)
    local own = { keys = {}, texts = {}, ranges = {}, changes = {}, is_last = is_last }
    local results = pack(pcall(f, setmetatable({ [mark] = own }, Transaction)))
    own.is_over = true
    if own.is_late then return false end
    if not results[1] then error(results[2], 0) end
    if not native.commit(own.keys, own.ranges, own.changes, is_last) then return false end
    return true, unpack(results, 2, results.n)
  end

  local function finish(is_over, ...) return is_over, pack(...) end

  --- Calls a function with a transaction, and carries out its changes together.
  local function transaction(f)
    if type(f) ~= "function" then
      fail("storage.transaction", "bad_argument", "it takes a function, not a " .. type(f))
    end
    for number = 1, urgent_attempt - 1 do
      -- One repeated transaction at a time, so that they don't repeat each other.
      local takes_turn = number > 1 or native.is_urgent()
      local turn <close> = takes_turn and native.turn(false) or nil
      local is_over, results = finish(attempt(f, false))
      if is_over then return unpack(results, 1, results.n) end
    end
    -- Kept for all further attempts, so that none of other programs begins between two of them.
    local turn <close> = native.turn(true)
    for number = urgent_attempt, attempts_max do
      local is_over, results = finish(attempt(f, number == attempts_max))
      if is_over then return unpack(results, 1, results.n) end
    end
  end

  return {
    get = native.get, set = native.set, delete = native.delete, list = native.list,
    clear = native.clear, usage = native.usage, keys = native.keys, transaction = transaction,
  }
end
