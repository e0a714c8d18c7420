-- Anybody sees this tab.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "The first tab",

  routes = { ["/home"] = function() return { title = "Home" } end },

  views = {
    home = function(_, _, self)
      local user = self.state("account.user")
      return {
        user ~= "" and "Welcome, " .. user or "Nobody is logged in",
        ui.actions {
          ui.open("Orders", "/orders"),
          user ~= "" and ui.button("Log out", "account/log_out"),
        },
      }
    end,
  },
}
