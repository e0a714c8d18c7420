local moon = require "moonwire"

return moon.module {
  description = "Counts what happens to the list, and notices when a goal is reached",

  state = { goal = 2, done = 0, actions = {} },

  actions = {
    goal_reached = { "Somebody has finished as much as they wanted", done = "integer" },
    set_goal = { "Sets how many items to finish", to = "integer" },
  },

  reducers = {
    set_goal = function(state, payload)
      state.goal = payload.to
    end,

    -- Another module's action.
    ["todo/toggle"] = function(state, payload)
      state.done = state.done + 1
    end,

    -- A family of them.
    ["todo/*"] = function(state, _, action)
      local name = action.type:match("/(.+)$")
      state.actions[name] = (state.actions[name] or 0) + 1
    end,
  },

  observe = {
    ["stats.done"] = function(done, _, self)
      local goal = self.state("stats.goal")
      if done == goal then self.dispatch("goal_reached", { done = done }) end
    end,
  },
}
