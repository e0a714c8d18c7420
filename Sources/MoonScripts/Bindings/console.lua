-- The environment of text typed at the prompt. `moon` is made by moonwire.lua, which runs first.
local native, host = ...
local call, setmetatable = native.call, setmetatable
local next, type, pcall, find, ipairs = next, type, pcall, string.find, ipairs

-- How many names are collected for completion, and how many levels of tables deep.
local names_max, levels_max = 2000, 3

-- Adds the names in a table to `names`: each with the names in it, or with its type. Metatables
-- aren't asked.
local function collect(names, place, level, left)
  for key, value in next, place do
    if type(key) == "string" and find(key, "^[%a_][%w_]*$") then
      left.count = left.count - 1
      if left.count < 0 then return end
      local kind = type(value)
      if kind == "table" and level < levels_max and key ~= "_G" then
        local inner = {}
        -- Reading a view of the state raises an error after the evaluation that got it.
        pcall(collect, inner, value, level + 1, left)
        names[key] = inner
      else
        names[key] = kind
      end
    end
  end
end

local environment
environment = {
  moon = moon,

  --- A read-only view of the whole state, or of the part under a path.
  state = function(path)
    return call(host.state, path)
  end,

  --- Dispatches an action, and returns when it and everything that followed from it are done.
  dispatch = function(action, payload)
    call(host.dispatch, action, payload)
  end,
  --- The names that can be typed, for completion. No identifier reaches it.
  ["\1names"] = function()
    -- Loaded on first use.
    local _ = moon.ui, moon.nav
    for _, name in ipairs(call(host.services)) do local _ = moon[name] end
    local names, left = {}, { count = names_max }
    collect(names, environment, 1, left)
    collect(names, _G, 1, left)
    return names
  end,
}
native.console(setmetatable(environment, { __index = _G }))

return moon
