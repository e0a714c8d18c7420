-- A countdown: an effect that sleeps, and that another action can stop.
local moon = require "moonwire"

return moon.module {
  description = "Counts down",

  state = { left = 0, rounds = moon.list() },

  actions = {
    start = { "Counts down from a number", from = "integer", pause = "number?" },
    stop = "Stops the countdown",
    tick = "Counts one down",
    ended = { "A countdown has ended", how = "string" },
    remind = { "Says when there were so many rounds", after = "integer" },
  },

  reducers = {
    start = function(state, payload) state.left = payload.from end,
    tick = function(state) state.left = state.left - 1 end,
    ended = function(state, payload) state.rounds[#state.rounds + 1] = payload.how end,
  },

  effects = {
    -- Starts after the reducer has set the number. The first function to return cancels the other.
    start = function(payload, self)
      local how = moon.race {
        finished = function()
          for _ = 1, payload.from do
            moon.sleep(payload.pause or 0.01)
            self.dispatch "tick"
          end
        end,
        stopped = function() moon.take "timer/stop" end,
      }
      self.dispatch("ended", { how = how })
    end,

    -- Waits for a state, whatever action leads to it.
    remind = function(payload)
      local rounds = moon.when("timer.rounds", function(all) return #all >= payload.after end)
      print("round " .. #rounds .. " is over: " .. rounds[#rounds])
    end,
  },
}
