-- A feature behind a flag: its route takes no URL and its part of another screen is empty while the
-- flag is off.
local moon = require "moonwire"
local ui = moon.ui

local function is_on(self) return self.state("flags.offers") end

return moon.module {
  description = "Cheaper things",

  routes = {
    ["/offers"] = {
      when = function(route, state, self) return is_on(self) end,
      screen = function() return { title = "Offers", body = "Chairs, half price" } end,
    },
  },
  -- Redirects the URL while the flag is off.
  handlers = {
    ["/offers(/*)"] = function() return moon.redirect "/shop" end,
  },

  extends = {
    ["shop/thing#below"] = function(screen, data, state, self)
      if is_on(self) then return ui.open("Offers for " .. data.thing, "/offers") end
    end,
  },
}
