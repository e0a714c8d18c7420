-- Doesn't depend on the login.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "The second tab",

  state = { orders = { [7] = { what = "Lamp", count = 1 }, [8] = { what = "Chair", count = 4 } } },

  routes = {
    ["/orders"] = function() return { kind = "list", title = "Orders" } end,
    ["/orders/:id<int>"] = {
      screen = function(route, state)
        return state.orders[route.params.id]
          and { kind = "order", title = "Order " .. route.params.id }
      end,
    },
  },

  views = {
    list = function(_, state)
      local rows = {}
      for id, order in pairs(state.orders) do
        rows[#rows + 1] = ui.open(order.what, "/orders/" .. id)
      end
      return { rows, ui.button("Log out", "account/log_out") }
    end,
    order = function(screen, state)
      local order = state.orders[screen.params.id]
      return order.count .. " x " .. order.what
    end,
  },
}
