local moon = require "moonwire"
local text = require "text"

local function find(items, id)
  for index, item in ipairs(items) do
    if item.id == id then return index, item end
  end
  error("there is no item " .. id, 0)
end

return moon.module {
  description = "A list of things to do",
  version = 1,

  state = { items = moon.list(), next_id = 1, tags = {} },

  actions = {
    add = { "Adds an item", title = "string", tags = "string[]?" },
    toggle = { "Marks an item as done, or as not done", id = "integer" },
    rename = { "Gives an item another title", id = "integer", title = "string" },
    move = { "Moves an item to another place", id = "integer", to = "integer" },
    remove = { "Removes an item", id = "integer" },
    clear_done = { "Removes what is done" },
  },

  reducers = {
    add = function(state, payload, action)
      local title = text.tidy(payload.title)
      if title == "" then error("an item needs a title", 0) end
      local item = { id = state.next_id, title = title, done = false, added = action.meta.id }
      state.next_id = state.next_id + 1
      table.insert(state.items, item)
      for _, tag in ipairs(payload.tags or {}) do
        state.tags[tag] = state.tags[tag] or moon.list()
        table.insert(state.tags[tag], item.id)
      end
    end,

    toggle = function(state, payload)
      local _, item = find(state.items, payload.id)
      item.done = not item.done
    end,

    rename = function(state, payload)
      local _, item = find(state.items, payload.id)
      item.title = text.tidy(payload.title)
    end,

    move = function(state, payload)
      local index = find(state.items, payload.id)
      local item = table.remove(state.items, index)
      table.insert(state.items, math.min(payload.to, #state.items + 1), item)
    end,

    remove = function(state, payload)
      local index = find(state.items, payload.id)
      table.remove(state.items, index)
    end,

    clear_done = function(state)
      for index = #state.items, 1, -1 do
        if state.items[index].done then table.remove(state.items, index) end
      end
    end,

    -- The statistics set goals; a reached one is an item of its own.
    ["stats/goal_reached"] = function(state, payload)
      table.insert(state.items, {
        id = state.next_id,
        title = "Celebrate " .. text.count(payload.done, "finished item"),
        done = false,
      })
      state.next_id = state.next_id + 1
    end,
  },

  observe = {
    ["todo.items"] = function(items)
      local open = 0
      for _, item in ipairs(items) do
        if not item.done then open = open + 1 end
      end
      print(text.count(open, "item") .. " to do")
    end,
  },
}
