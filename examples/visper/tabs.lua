-- The tab bar example. A handler makes no screen, as VISPER's `RoutingHandler`.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Two tabs, each with a stack of its own",

  routes = {
    ["/tabs/:name"] = function(route)
      return { title = "Tab " .. route.params.name }
    end,
    ["/page/:number<int>"] = {
      option = moon.push(),
      screen = function(route)
        return { kind = "page", title = "Page " .. route.params.number }
      end,
    },
  },

  views = {
    tabs = function()
      return { ui.open("A page", "/page/1") }
    end,
    page = function(screen)
      return { ui.open("The next page", "/page/" .. screen.params.number + 1) }
    end,
  },

  handlers = {
    ["/tabs"] = function(route, state, self)
      self.dispatch(moon.nav.set(moon.nav.tabs {
        moon.nav.stack { "/tabs/one" }, moon.nav.stack { "/tabs/two" },
      }))
    end,
  },
}
