-- Tabs without state or routes of their own. The action brings their contents, so any app can use
-- this module.
local moon = require "moonwire"

return moon.module {
  description = "Shows several screens beside each other, whichever they are",

  actions = {
    start = { "Shows tabs: URLs, or what moon.nav.stack makes", tabs = "list" },
  },

  map_navigation = {
    start = function(action)
      return moon.nav.set(moon.nav.tabs(action.payload.tabs))
    end,
  },
}
