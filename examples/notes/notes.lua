-- Notes in the storage, which are still there after a restart, and a search as one types.
local moon = require "moonwire"
local ui = moon.ui

local note = moon.entities.kind {
  name = "note",
  fields = { id = "integer", title = "string", text = "string?", tags = "string[]?" },
  views = {
    by_title = { sort = "title" },
    by_tag = { sort = "title", group = "tags" },
  },
}

-- The calls of this store wait, so only effects make them.
local kept = moon.entities.stored(note)

-- Brings what a screen shows from the storage into the state.
local function list(_, self)
  self.dispatch("listed", { notes = kept:view "by_title", tags = kept:groups "by_tag" })
end

local function contains(text, query)
  return text ~= nil and text:lower():find(query, 1, true) ~= nil
end

return moon.module {
  description = "Keeps notes and finds them",

  needs = { "storage" },

  state = { notes = moon.list(), tags = moon.list(), query = "", found = moon.list() },

  actions = {
    add = { "Adds a note", title = "string", text = "string?", tags = "string[]?" },
    remove = { "Removes a note", id = "integer" },
    rename = { "Puts one tag in the place of another in all notes", tag = "string", to = "string" },
    typed = { "The text of the search has changed", query = "string" },
    list = "Reads the notes from the storage",
    listed = { "The notes were read", notes = "list", tags = "list" },
    found = { "The search has ended", query = "string", titles = "string[]" },
  },

  on_start = function(self) self.dispatch "list" end,

  reducers = {
    listed = function(state, payload)
      state.notes, state.tags = payload.notes, payload.tags
    end,
    typed = function(state, payload) state.query = payload.query end,
    found = function(state, payload) state.found = payload.titles end,
  },

  effects = {
    list = list,

    -- Two notes that are added at the same time get different numbers: the transaction that ends
    -- second is repeated.
    add = function(payload, self)
      kept:transaction(function(notes)
        local all = notes:all()
        local last = all[#all]
        notes:put {
          id = last and last.id + 1 or 1,
          title = payload.title, text = payload.text, tags = payload.tags,
        }
      end)
      list(nil, self)
    end,

    remove = function(payload, self)
      kept:delete(payload.id)
      list(nil, self)
    end,

    -- All notes or none.
    rename = function(payload, self)
      kept:transaction(function(notes)
        for _, found in ipairs(notes:view("by_tag", payload.tag)) do
          for i, tag in ipairs(found.tags) do
            if tag == payload.tag then found.tags[i] = payload.to end
          end
          notes:put(found)
        end
      end)
      list(nil, self)
    end,

    -- Starts when no further letter has come for a while. A search that still runs is cancelled.
    typed = {
      policy = "latest",
      debounce = 0.05,
      run = function(payload, self)
        local query, titles = payload.query:lower(), moon.list()
        for _, one in ipairs(kept:view "by_title") do
          if contains(one.title, query) or contains(one.text, query) then
            titles[#titles + 1] = one.title
          end
        end
        self.dispatch("found", { query = payload.query, titles = titles })
      end,
    },
  },

  routes = {
    ["/notes"] = { screen = function() return { kind = "list", title = "Notes" } end },
  },

  views = {
    list = function(_, state)
      local body = {}
      for i, one in ipairs(state.notes) do
        body[i] = ui.text(one.id .. "  " .. one.title)
      end
      for _, tag in ipairs(state.tags) do
        body[#body + 1] = ui.text("#" .. tag.group .. " " .. tag.count)
      end
      return body
    end,
  },
}
