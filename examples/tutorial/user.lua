-- The user of the app. Without a name, every URL leads to the login. With one, the start screen
-- shows it. The other modules need no code for this.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Logs people in",

  state = { name = "", wanted = "/start" },

  actions = {
    log_in = { "Takes a name", name = "string" },
    wanted = { "Notes where somebody wanted to go", url = "string" },
    log_out = { "Forgets the name" },
  },

  reducers = {
    log_in = function(state, payload)
      state.name = payload.name
    end,
    wanted = function(state, payload)
      state.wanted = payload.url
    end,
    log_out = function(state)
      state.name = ""
      state.wanted = "/start"
    end,
  },

  -- A routing observer: it gets every URL before its screen is made.
  routing_observers = {
    will = function(route, state, self)
      if state.name == "" and route.url ~= "/login" then
        self.dispatch("wanted", { url = route.url })
        return moon.redirect "/login"
      end
    end,
  },

  -- A presenter: it enriches the screen of another module before it is shown.
  presenters = {
    route = "/start",
    run = function(screen, route, state)
      screen.props.name = state.name
    end,
  },

  routes = {
    ["/login"] = {
      option = moon.root(),
      screen = function()
        return { title = "Who are you?", kind = "login" }
      end,
    },
  },

  -- A handler: a route without a screen.
  handlers = {
    ["/logout"] = function(route, state, self)
      self.dispatch("log_out")
      return moon.redirect "/login"
    end,
  },

  views = {
    login = function()
      return {
        ui.input { id = "name", label = "Your name", required = true },
        ui.button("Log in", "log_in"),
      }
    end,
  },

  map_navigation = {
    log_in = function(action, state)
      return state.wanted
    end,
  },
}
