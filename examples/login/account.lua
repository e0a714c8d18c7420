-- Shows only the login until a person has logged in, then the screen that they wanted to open.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Who is logged in",

  state = { user = "", problem = "" },

  actions = {
    log_in = { "Takes a name and a password", name = "string", password = "string", back = "string?" },
    log_out = "Forgets who is logged in",
  },

  reducers = {
    -- A real app calls a server here, in an effect.
    log_in = function(state, payload)
      local is_right = payload.password == "moon"
      state.user = is_right and payload.name or ""
      state.problem = is_right and "" or "Wrong password"
    end,
    log_out = function(state) state.user = "" end,
  },

  -- Redirects each URL of other modules to the login, with the original URL as a parameter.
  routing_observers = {
    will = function(route, state)
      if state.user == "" and route.module ~= "account" then
        return moon.redirect("/login", { back = route.url })
      end
    end,
  },

  routes = {
    ["/login"] = {
      option = moon.modal { once = true },
      screen = function(route)
        return { title = "Log in", props = { back = route.params.back } }
      end,
    },
  },

  views = {
    account = function(screen, state)
      return {
        -- Shown only if there is a message.
        state.problem ~= "" and ui.text(state.problem, { color = "attention" }),
        ui.input { id = "name", label = "Name", required = true, keep = true },
        ui.input { id = "password", label = "Password", style = "password" },
        ui.button("Log in", "log_in", { back = screen.props.back }),
      }
    end,
  },

  on_back = function() return false, "log in first" end,

  map_navigation = {
    log_in = function(action, state)
      if state.user ~= "" then
        return { moon.nav.dismiss(), action.payload.back or "/notes" }
      end
    end,
    log_out = function()
      return { moon.nav.set(moon.nav.stack {}), "/login" }
    end,
  },
}
