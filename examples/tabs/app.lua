-- The only module that knows the others: it says who starts after whom.
local moon = require "moonwire"

return moon.module {
  description = "Leads from the login to the tabs, and back",

  actions = { begin = { "The app begins" } },

  on_start = function(self)
    self.dispatch("begin")
  end,

  map_modules = {
    begin = function()
      return moon.start "login"
    end,

    ["login/done"] = function(action)
      return {
        moon.stop "login",
        moon.start("tabs", { tabs = { moon.nav.stack { "/list" }, "/settings" } }),
        moon.start("settings", { user = action.payload.user }),
      }
    end,

    ["list/chosen"] = function(action)
      local planet = action.payload
      return moon.start("detail", { name = planet.name, facts = { Moons = planet.moons } })
    end,

    ["settings/log_out"] = function()
      return { moon.stop "tabs", moon.start "login" }
    end,
  },
}
