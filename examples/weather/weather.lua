-- The weather of a city: loading, errors, another attempt when the server is busy, and what was
-- known last when there is no server.
local moon = require "moonwire"

-- The seconds before the second attempt; each further one waits twice as long.
local first_pause = 0.05

-- Returns the answer, after more attempts if the server is busy or can't be reached.
local function ask(url, options, self)
  local attempts_max = self.settings.attempts
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

-- Dispatches what was kept of a city, or that there is nothing.
local function recall(city, problem, self)
  local degrees = moon.storage.get("city/" .. city)
  if degrees then
    self.dispatch("recalled", { degrees = degrees, problem = problem })
  else
    self.dispatch("failed", { problem = problem })
  end
end

local function load(city, self)
  local state = self.state "weather"
  local server = state.server ~= "" and state.server or self.settings.server
  local done, answer = pcall(ask, server .. "/weather",
    { query = { city = city }, accept = "json", timeout = 5 }, self)
  if not done then
    recall(city, answer.code or tostring(answer), self)
  elseif answer.ok then
    moon.storage.set("city/" .. city, answer.json.degrees)
    self.dispatch("loaded", { degrees = answer.json.degrees })
  else
    self.dispatch("failed", { problem = "the server says " .. answer.status })
  end
end

return moon.module {
  description = "Shows the temperature in a city",
  needs = { "net:localhost", "storage" },

  settings = {
    server = { "string", "Where the weather comes from", default = "http://localhost:8080" },
    attempts = { "integer", "How often a busy server is asked", default = 4 },
  },

  state = { server = "", city = "", status = "idle", degrees = 0, problem = "", busy = 0 },

  actions = {
    use = { "Says where the weather comes from, instead of the settings", server = "string" },
    load = { "Loads the weather of a city", city = "string" },
    refresh = "Loads the weather of the city that is shown",
    postponed = { "The server was busy", attempt = "integer" },
    loaded = { "The weather has arrived", degrees = "number" },
    recalled = { "There is only what was known last", degrees = "number", problem = "string" },
    failed = { "There is no weather", problem = "string" },
  },

  reducers = {
    use = function(state, payload) state.server = payload.server end,
    load = function(state, payload)
      state.city, state.status, state.problem, state.busy = payload.city, "loading", "", 0
    end,
    postponed = function(state, payload) state.busy = payload.attempt end,
    loaded = function(state, payload)
      state.status, state.degrees, state.problem = "ready", payload.degrees, ""
    end,
    recalled = function(state, payload)
      state.status, state.degrees, state.problem = "old", payload.degrees, payload.problem
    end,
    failed = function(state, payload)
      state.status, state.problem = "failed", payload.problem
    end,
  },

  effects = {
    -- A further request cancels the one before.
    load = { policy = "latest", run = function(payload, self) load(payload.city, self) end },
    refresh = {
      policy = "first",
      run = function(_, self)
        local city = self.state "weather.city"
        if city ~= "" then load(city, self) end
      end,
    },
  },

  schedules = { refresh = { every = 300 } },
}
