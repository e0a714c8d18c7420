local moon = require "moonwire"
local text = require "text"
local ui = moon.ui

-- Returns the task with an id; nil if there is none.
local function find(state, id)
  for _, task in ipairs(state.tasks) do
    if task.id == id then return task end
  end
end

return moon.module {
  description = "Things to do",

  state = { tasks = moon.list(), last_id = 0 },

  actions = {
    add = { "Adds a task", title = "string" },
    finish = { "Marks a task as done", id = "integer" },
  },

  reducers = {
    add = function(state, payload)
      local title = text.trimmed(payload.title)
      if title == "" then moon.refuse "a task needs a title" end
      state.last_id = state.last_id + 1
      state.tasks[#state.tasks + 1] = { id = state.last_id, title = title, done = false }
    end,

    finish = function(state, payload)
      local task = find(state, payload.id)
      if not task then moon.refuse("there is no task " .. payload.id) end
      task.done = true
    end,

    -- Another module's action, to which this one listens.
    ["settings/forget"] = function(state)
      state.tasks = moon.list()
    end,
  },

  routes = {
    ["/tasks"] = function()
      return { kind = "list", title = "Tasks" }
    end,

    -- A link to a task shows the list below it.
    ["/tasks/:id<int>"] = {
      parent = "/tasks",
      screen = function(route)
        return { kind = "task", title = "Task " .. route.params.id }
      end,
    },
  },

  views = {
    list = function(screen, state)
      return {
        ui.when(#state.tasks == 0, "Nothing to do"),
        ui.list(state.tasks, function(task)
          return ui.open((task.done and "✓ " or "") .. task.title, "/tasks/" .. task.id)
        end),
        ui.input { id = "title", label = "Title" },
        ui.button("Add", "add"),
      }
    end,

    task = function(screen, state)
      local task = find(state, screen.params.id)
      if not task then return "This task is gone" end
      return {
        task.title,
        task.done and "Done" or ui.button("Finish", "finish", { id = task.id }),
      }
    end,
  },
}
