-- Effects that read: what is listed, looked at and searched for.
local moon = require "moonwire"
local disk = require "disk"
local listing = require "listing"
local paths = require "paths"
local preview = require "preview"
local trash = require "trash"
local words = require "words"

-- A screen of its own has room for more lines than the place beside the list.
local lines_max, lines_beside_max, found_max = 2000, 100, 300

local effects = {}

local function view_of(self)
  local state = self.state "files"
  return {
    sort = state.sort, is_reversed = state.is_reversed, hidden = state.hidden,
    detail = state.detail,
  }
end

local function list(self, files, path, filter)
  local done, entries, left_out = pcall(listing.read, files, path, view_of(self), filter)
  local problem
  if not done then entries, left_out, problem = {}, 0, words.reason(entries, "read") end
  self.dispatch("listed", {
    path = path, entries = #entries > 0 and entries or moon.list(), left_out = left_out,
    problem = problem,
  })
end

-- The directory on top, and the one above if it isn't known or may have changed. What is known
-- isn't read again while files are being changed, as that ends with reading it.
local function refresh(_, self)
  local files, place = disk.of(self), self.state "files.place"
  if self.state "files.busy" ~= "" and self.state("files.lists")[place] then return end
  list(self, files, place, self.state "files.filter")
  local above = paths.parent(place)
  local known = above and self.state("files.lists")[above]
  if above and (not known or known.is_stale) then list(self, files, above, "") end
end

local readings = {
  "arrived", "refresh", "kept", "filter", "sort", "show_hidden", "show_detail",
}
for _, action in ipairs(readings) do
  effects[action] = { policy = "latest", run = refresh }
end

-- A burst of changes is read at its beginning and then, as it goes on, not more often than this.
effects.changed = { policy = "latest", throttle = 0.5, run = refresh }

local function look(self, path, type, count)
  self.dispatch(type, preview.of(disk.of(self), path, self.settings.program, count))
end

effects.look = {
  policy = "latest",
  run = function(payload, self) look(self, payload.path, "looked", lines_beside_max) end,
}

function effects.open(payload, self)
  if payload.kind == "file" then look(self, payload.path, "was_read", lines_max) end
end

effects.search = {
  policy = "latest",
  run = function(payload, self)
    local place = self.state "files.place"
    local found = listing.search(disk.of(self), place, payload.text, view_of(self), found_max)
    self.dispatch("found", { text = payload.text, entries = moon.list(found) })
  end,
}

effects.list_trash = {
  policy = "latest",
  run = function(_, self)
    if self.state "files.busy" ~= "" then return end
    local done, items, count = pcall(trash.list, disk.of(self))
    if not done then moon.refuse(words.reason(items, "read")) end
    self.dispatch("trash_listed", { items = moon.list(items), count = count })
  end,
}

-- Other programs change files, too.
effects.watch = {
  keep = true,
  run = function(_, self)
    if not self.settings.watch then return end
    while true do
      local place = self.state "files.place"
      moon.race {
        left = function()
          moon.when("files.place", function(now) return now ~= place end)
        end,
        seen = function()
          pcall(function()
            for _ in moon.files.watch(disk.of(self):at(place)) do
              self.dispatch "changed"
            end
          end)
          -- It can't be watched, or is gone.
          moon.sleep(10)
        end,
      }
    end
  end,
}

return effects
