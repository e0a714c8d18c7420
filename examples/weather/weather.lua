-- The weather of a city: loading, errors, and another attempt when the server is busy.
local moon = require "moonwire"

-- The seconds before the second attempt; each further one waits twice as long.
local first_pause = 0.05
local attempts_max = 4

return moon.module {
  description = "Shows the temperature in a city",
  needs = { "net:localhost" },

  state = { server = "", city = "", status = "idle", degrees = 0, problem = "", busy = 0 },

  actions = {
    use = { "Says where the weather comes from", server = "string" },
    load = { "Loads the weather of a city", city = "string" },
    postponed = { "The server was busy", attempt = "integer" },
    loaded = { "The weather has arrived", degrees = "number" },
    failed = { "There is no weather", problem = "string" },
  },

  reducers = {
    use = function(state, payload) state.server = payload.server end,
    load = function(state, payload)
      state.city, state.status, state.problem, state.busy = payload.city, "loading", "", 0
    end,
    postponed = function(state, payload) state.busy = payload.attempt end,
    loaded = function(state, payload)
      state.status, state.degrees = "ready", payload.degrees
    end,
    failed = function(state, payload)
      state.status, state.problem = "failed", payload.problem
    end,
  },

  effects = {
    load = function(payload, self)
      -- Returns the answer, after more attempts if the server is busy or can't be reached.
      local function ask(url, options)
        for attempt = 1, attempts_max do
          local done, answer = pcall(moon.http.get, url, options)
          local is_busy = done and answer.status == 503
            or not done and (answer.code == "timed_out" or answer.code == "connection_refused")
          if not is_busy or attempt == attempts_max then
            if not done then error(answer, 0) end
            return answer
          end
          self.dispatch("postponed", { attempt = attempt })
          moon.sleep(first_pause * 2 ^ (attempt - 1))
        end
      end

      local url = self.state().weather.server .. "/weather"
      local done, answer = pcall(ask, url,
        { query = { city = payload.city }, accept = "json", timeout = 5 })
      if not done then
        self.dispatch("failed", { problem = answer.code or tostring(answer) })
      elseif answer.ok then
        self.dispatch("loaded", { degrees = answer.json.degrees })
      else
        self.dispatch("failed", { problem = "the server says " .. answer.status })
      end
    end,
  },
}
