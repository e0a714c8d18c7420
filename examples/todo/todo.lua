local moon = require "moonwire"
local text = require "text"

-- The dispatcher gets the reason, and the action changes nothing in any module.
local function find(items, id)
  for index, item in ipairs(items) do
    if item.id == id then return index, item end
  end
  moon.refuse("there is no item " .. id)
end

local function checked_title(title)
  local tidy = text.tidy(title)
  if tidy == "" then moon.refuse("an item needs a title") end
  return tidy
end

local function insert(state, title)
  local item = { id = state.next_id, title = title, done = false }
  state.next_id = item.id + 1
  table.insert(state.items, item)
  return item
end

-- Removes an item from every tag. A tag without items is removed, too.
local function untag(tags, id)
  for tag, ids in pairs(tags) do
    for index = #ids, 1, -1 do
      if ids[index] == id then table.remove(ids, index) end
    end
    if #ids == 0 then tags[tag] = nil end
  end
end

local function remove(state, index)
  local item = table.remove(state.items, index)
  untag(state.tags, item.id)
end

return moon.module {
  description = "A list of things to do",

  -- `next_id` is part of the state, like everything that a reducer needs.
  state = { items = moon.list(), next_id = 1, tags = {} },

  actions = {
    add = { "Adds an item", title = "string", tags = "string[]?" },
    finish = { "Marks an item as done", id = "integer" },
    reopen = { "Marks an item as not done", id = "integer" },
    rename = { "Gives an item another title", id = "integer", title = "string" },
    move = { "Moves an item to another place", id = "integer", to = "integer" },
    remove = { "Removes an item", id = "integer" },
    clear_done = { "Removes what is done" },
  },

  reducers = {
    add = function(state, payload)
      local item = insert(state, checked_title(payload.title))
      for _, tag in ipairs(payload.tags or {}) do
        state.tags[tag] = state.tags[tag] or moon.list()
        table.insert(state.tags[tag], item.id)
      end
    end,

    -- Two actions rather than one that toggles: each tells listeners what has happened, and can be
    -- refused where it makes no sense.
    finish = function(state, payload)
      local _, item = find(state.items, payload.id)
      if item.done then moon.refuse("item " .. item.id .. " is done already") end
      item.done = true
    end,

    reopen = function(state, payload)
      local _, item = find(state.items, payload.id)
      if not item.done then moon.refuse("item " .. item.id .. " isn't done") end
      item.done = false
    end,

    rename = function(state, payload)
      local _, item = find(state.items, payload.id)
      item.title = checked_title(payload.title)
    end,

    move = function(state, payload)
      local index = find(state.items, payload.id)
      local to = math.max(1, math.min(payload.to, #state.items))
      table.insert(state.items, to, table.remove(state.items, index))
    end,

    remove = function(state, payload)
      remove(state, (find(state.items, payload.id)))
    end,

    -- Backwards, since removing an item moves those after it.
    clear_done = function(state)
      for index = #state.items, 1, -1 do
        if state.items[index].done then remove(state, index) end
      end
    end,

    -- Another module's action: reaching a goal is worth an item of its own.
    ["stats/goal_reached"] = function(state, payload)
      insert(state, "Celebrate " .. text.count(payload.done, "finished item"))
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
