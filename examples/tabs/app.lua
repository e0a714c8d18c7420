-- The only module that knows the others. It decides which module starts after which.
--
-- The action `start` of each module here starts it, including this one. Its action `stop` clears
-- what it no longer needs. `on_start` is the only hook; it runs when the session begins.
local moon = require "moonwire"

return moon.module {
  description = "Leads from the login to the tabs, and back",

  actions = { start = { "The app begins" } },

  on_start = function(self)
    self.dispatch("start")
  end,

  -- `moon.start "login"` dispatches `login/start`. The mapped action goes on as it is.
  map_modules = {
    start = function()
      return moon.start "login"
    end,

    ["login/done"] = function(action)
      return {
        moon.start("settings", { user = action.payload.user }),
        moon.start("tabs", { tabs = { moon.nav.stack { "/list" }, "/settings" } }),
      }
    end,

    ["list/chosen"] = function(action)
      local planet = action.payload
      return moon.start("detail", { name = planet.name, facts = { Moons = planet.moons } })
    end,

    ["settings/log_out"] = function()
      return { moon.stop "settings", moon.stop "list", moon.start "login" }
    end,
  },
}
