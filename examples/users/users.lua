-- Users from a server, for those who have logged in; the login lasts for a time.
local moon = require "moonwire"

return moon.module {
  description = "Lists the users of a server",
  needs = { "net:localhost" },

  state = { server = "", token = "", status = "logged out", list = moon.list() },

  actions = {
    use = { "Says where the users are", server = "string" },
    login = { "Begins a session", name = "string", password = "string", lasts = "number?" },
    begun = { "A session has begun", token = "string", lasts = "number" },
    logout = "Ends the session",
    expired = "The session has lasted long enough",
    load = "Loads the users",
    loaded = { "The users have arrived", users = "list" },
    refused = { "The server has refused", message = "string", code = "string?" },
  },

  reducers = {
    use = function(state, payload) state.server = payload.server end,
    begun = function(state, payload)
      state.token, state.status = payload.token, "logged in"
    end,
    loaded = function(state, payload)
      state.list = {}
      for i, user in ipairs(payload.users) do
        state.list[i] = { name = user.name, email = user.email }
      end
    end,
    refused = function(state, payload) state.status = payload.message end,
    logout = function(state)
      state.token, state.status, state.list = "", "logged out", moon.list()
    end,
    expired = function(state)
      state.token, state.status, state.list = "", "expired", moon.list()
    end,
  },

  api = {
    login = {
      request = function(payload, self)
        local answer = moon.http.post(self.state().users.server .. "/login",
          { form = { name = payload.name, password = payload.password }, accept = "json" })
        if not answer.ok then error("wrong name or password", 0) end
        return answer.json.token
      end,
      success = function(token, payload)
        return { { type = "begun", payload = { token = token, lasts = payload.lasts or 60 } }, "load" }
      end,
      failure = "refused",
    },

    load = {
      request = function(_, self)
        local answer = moon.http.get(self.state().users.server .. "/users",
          { headers = { Authorization = "Bearer " .. self.state().users.token }, accept = "json" })
        if not answer.ok then error("the server says " .. answer.status, 0) end
        return answer.json
      end,
      success = "loaded",
      map_success = function(users) return { users = users } end,
      failure = "refused",
    },
  },

  effects = {
    -- Ends the session later, unless it ends or another one begins before.
    begun = function(payload, self)
      local how = moon.race {
        expired = function() moon.sleep(payload.lasts) end,
        ended = function() moon.take "users/logout" end,
        renewed = function() moon.take "users/begun" end,
      }
      print("the session has " .. (how == "expired" and "expired" or "been " .. how))
      if how == "expired" then self.dispatch "expired" end
    end,

    loaded = function(payload) print("there are " .. #payload.users .. " users") end,
  },
}
