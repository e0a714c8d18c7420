-- Says how screens are presented, whoever they belong to. Every provider gets the option as it
-- stands and may give another; those of low priority are asked first, so high ones decide.
local moon = require "moonwire"

return moon.module {
  description = "Presents screens to suit the device and the person",

  state = { wide = false, calm = false },

  actions = {
    resize = { "The window has another width", columns = "integer" },
    calm = { "Somebody prefers that nothing moves", on = "boolean" },
  },

  reducers = {
    resize = function(state, payload)
      state.wide = payload.columns >= 120
    end,
    calm = function(state, payload)
      state.calm = payload.on
    end,
  },

  routing_options = {
    -- Where there is room, a photo stands over the album. Nothing is returned elsewhere: no
    -- opinion.
    {
      route = "/photos/:number<int>",
      run = function(route, option, state)
        if state.wide then return moon.modal() end
      end,
    },

    -- Asked last, about every route: it changes one thing and leaves the rest of the option as it
    -- is. There is none as long as nobody has said anything.
    {
      priority = 10,
      run = function(route, option, state)
        if not state.calm then return end
        option = option or moon.show()
        option.animated = false
        return option
      end,
    },
  },

  routing_observers = {
    did = function(route)
      local option = route.option
      print(route.url .. "  " .. (option and option.option or "show")
        .. (option and option.animated == false and ", not animated" or ""))
    end,
  },
}
