-- Two tabs. The second one needs a login, which may be cancelled.
local moon = require "moonwire"
local nav = moon.nav

-- The URLs pass the routing observers. While nobody is logged in, the second tab therefore shows
-- the login.
local function tabs()
  return nav.set(nav.tabs {
    nav.stack { "/home", id = "home" },
    nav.stack { "/orders", id = "orders" },
  })
end

return moon.module {
  description = "Shows the tabs",

  on_start = function(self) self.dispatch(tabs()) end,

  -- Shows a screen in the tab of its module.
  routing_presenters = {
    show = function(screen)
      local is_first = screen.url == "/" .. screen.module
      return {
        nav.dismiss_to_root(),
        nav.select_tab(screen.module),
        is_first and nav.pop_to_root() or nav.push(screen),
      }
    end,
  },

  -- Makes the tabs anew whenever somebody logs in or out, since what they show depends on it.
  map_navigation = {
    ["account/log_in"] = function(action, _, self)
      if self.state("account.user") ~= "" then
        return { tabs(), action.payload.back or "/home" }
      end
    end,
    ["account/cancel"] = function() return { nav.dismiss_to_root(), nav.select_tab("home") } end,
    ["account/log_out"] = function() return tabs() end,
  },
}
