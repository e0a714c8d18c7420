-- Photos, with a screen for each. Their routes have no option: by default a screen is pushed if
-- there is a stack.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "An album",

  state = { titles = { "Dunes", "Harbour", "Snow" } },

  routes = {
    ["/photos"] = {
      option = moon.root(),
      screen = function()
        return { title = "Photos" }
      end,
    },
    ["/photos/:number<int>"] = {
      kind = "photo",
      screen = function(route, state)
        -- No such photo: decline, so that the URL isn't found.
        local title = state.titles[route.params.number]
        return title and { title = title }
      end,
    },
  },

  views = {
    photos = function(screen, state)
      return ui.list(state.titles, function(title, number)
        return ui.open(title, "/photos/" .. number)
      end)
    end,
    photo = function(screen)
      return { ui.image("https://photos.example/" .. screen.params.number, { alt = screen.title }) }
    end,
  },
}
