local moon = require "moonwire"

return moon.module {
  description = "Counts what happens to the list, and notices when a goal is reached",

  state = { goal = 2, done = 0, actions = {} },

  actions = {
    goal_reached = { "As many items are done as were planned", done = "integer" },
    set_goal = { "Sets how many items to finish", to = "integer" },
  },

  reducers = {
    set_goal = function(state, payload)
      state.goal = payload.to
    end,

    -- Another module's actions. A reducer sees its own slice only; what it has to know of the list
    -- is what these say.
    ["todo/finish"] = function(state)
      state.done = state.done + 1
    end,

    ["todo/reopen"] = function(state)
      state.done = state.done - 1
    end,

    -- A whole family of them.
    ["todo/*"] = function(state, _, action)
      local name = action.type:match("/(.+)$")
      state.actions[name] = (state.actions[name] or 0) + 1
    end,
  },

  -- A reducer can't dispatch. An observer can: it is told when what it looks at has changed.
  observe = {
    ["stats.done"] = function(done, before, self)
      if done > before and done == self.state("stats.goal") then
        self.dispatch("goal_reached", { done = done })
      end
    end,
  },
}
