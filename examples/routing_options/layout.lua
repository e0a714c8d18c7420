-- Chooses how the screens of all modules are presented. Each provider gets the current option and
-- may return another. Those with a low priority are called first, so those with a high one decide.
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
    -- On a wide window, a photo is presented over the album. Otherwise nothing is returned, which
    -- keeps the option.
    {
      route = "/photos/:number<int>",
      run = function(route, option, state)
        if state.wide then return moon.modal() end
      end,
    },

    -- Called last, for every route. It changes one field and keeps the rest of the option, which is
    -- nil if no provider has returned one.
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
