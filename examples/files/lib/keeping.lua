-- Keeps bookmarks and ways of looking until the next run, if the storage is granted.
local moon = require "moonwire"

local kept = { "bookmarks", "sort", "is_reversed", "hidden", "detail" }

local keeping = {}

-- Each directory that the app is used for has its own.
local function key(self) return "kept/" .. self.settings.directory end

function keeping.read(_, self)
  local values = moon.granted "storage" and moon.storage.get(key(self)) or {}
  if next(values) then self.dispatch("kept", { values = values }) end
end

function keeping.write(_, self)
  if not moon.granted "storage" then return end
  local state, values = self.state "files", {}
  for _, name in ipairs(kept) do values[name] = state[name] end
  moon.storage.set(key(self), values)
end

local places = {}
for _, name in ipairs(kept) do places[name] = "files." .. name end

keeping.observe = {
  paths = places,
  run = function(_, _, self) self.dispatch "keep" end,
}

return keeping
