-- A custom routing presenter for a custom option, as VISPER's `RoutingPresenter` and
-- `RoutingOption`.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "A menu in a drawer",

  routing_presenters = {
    drawer = function(screen, option)
      screen.props.edge = option.edge
      return moon.nav.present(moon.nav.stack { screen })
    end,
  },

  routes = {
    ["/menu"] = {
      option = moon.option("drawer", { edge = "left" }),
      screen = function()
        return { title = "Menu", props = {} }
      end,
    },
  },

  views = {
    drawer = function(screen)
      return { ui.text("From the " .. screen.props.edge), ui.button("Close", "nav/dismiss") }
    end,
  },
}
