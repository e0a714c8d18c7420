-- A ViewFeature and a LogicFeature in one: a route with its option, its screen and its reducers.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "The first screen, with a title that can be changed",

  state = { title = "Start", taps = 0 },

  actions = { tap = { "Counts a tap" } },

  -- VISPER-Sourcery generates `StartStateSetTitleAction` and its reducer. This derives `set_title`.
  derive = { set = { "title" } },

  reducers = {
    tap = function(state)
      state.taps = state.taps + 1
    end,
  },

  routes = {
    ["/start"] = {
      name = "start",
      option = moon.root(),
      screen = function(route, state)
        return { title = state.title }
      end,
    },
  },

  views = {
    start = function(screen, state)
      return {
        ui.text("Taps: " .. state.taps),
        ui.button("Tap", "tap"),
        ui.open("Message", "/message/Ada"),
        ui.open("Drawer", "/menu"),
        ui.open("Tabs", "/tabs"),
      }
    end,
  },
}
