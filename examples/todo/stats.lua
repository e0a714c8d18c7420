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

    -- Another module's actions. A reducer sees only its own slice, so these actions carry
    -- everything that it needs to know about the list.
    ["todo/finish"] = function(state)
      state.done = state.done + 1
    end,

    ["todo/reopen"] = function(state)
      state.done = state.done - 1
    end,

    -- All actions of a module.
    ["todo/*"] = function(state, _, action)
      local name = action.type:match("/(.+)$")
      state.actions[name] = (state.actions[name] or 0) + 1
    end,
  },

  -- A reducer can't dispatch, but an observer can. It is called when the value at its path has
  -- changed.
  observe = {
    ["stats.done"] = function(done, before, self)
      if done > before and done == self.state("stats.goal") then
        self.dispatch("goal_reached", { done = done })
      end
    end,
  },
}
