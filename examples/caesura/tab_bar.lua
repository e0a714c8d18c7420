-- Caesura's TabBar module: it navigates when it starts, and reports what people do with the tabs.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "The tab bar",

  state = { selected = 1, byUser = 0 },

  actions = {
    start = { "Shows the tabs" },
    closed = { "Somebody has closed the app's content" },
  },

  reducers = {
    -- A NavigationCompletionAction, with its origin: `user` or `code`.
    ["nav/did_select_tab"] = function(state, payload)
      state.selected = payload.selected
      if payload.origin == "user" then
        state.byUser = state.byUser + 1
      end
    end,
  },

  routes = {
    ["/about"] = function()
      return { title = "About" }
    end,
  },

  views = {
    tab_bar = function(screen, state)
      return { ui.text("Tab " .. state.selected), ui.button("Close", "closed") }
    end,
  },

  map_navigation = {
    start = function()
      return moon.nav.set(moon.nav.tabs { moon.nav.stack { "/list" }, "/about" })
    end,
  },

  -- Requests the content of the tabs as soon as the module starts.
  after_reduce = {
    on = "start",
    run = function()
      return { type = "list/fetch" }
    end,
  },
}
