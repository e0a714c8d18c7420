-- Asks for a login before the orders are shown.
local moon = require "moonwire"
local ui = moon.ui

local function forget_problem(state) state.problem = "" end

return moon.module {
  description = "Who is logged in",

  state = { user = "", problem = "" },

  actions = {
    log_in = { "Checks a password", name = "string", password = "string", back = "string?" },
    cancel = "Leaves the login",
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

    -- The login can be left in several ways, and begins without a message the next time.
    cancel = forget_problem,
    ["nav/did_dismiss"] = forget_problem,
    ["nav/did_select_tab"] = forget_problem,
  },

  routing_observers = {
    will = function(route, state)
      if state.user == "" and route.module == "orders" then
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
        state.problem ~= "" and ui.text(state.problem, { color = "attention" }),
        ui.input { id = "name", label = "Name", required = true, keep = true },
        ui.input { id = "password", label = "Password", style = "password", required = true },
        ui.actions {
          ui.button("Log in", "log_in", { back = screen.props.back }),
          -- Needs no inputs, although some are required.
          ui.button("Cancel", "cancel", nil, { inputs = false }),
        },
      }
    end,
  },
}
