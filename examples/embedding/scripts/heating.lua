-- Decides when to heat. It depends only on the thermometer's action; that the thermometer is
-- written in Swift makes no difference.
local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Heats when it is cold",

  state = { target = 20, on = false, found = {} },

  actions = {
    set = { "Sets the temperature to reach", celsius = "number" },
    look = { "Looks at the sensor of a room", room = "string" },
  },

  reducers = {
    set = function(state, payload)
      state.target = payload.celsius
    end,

    found = function(state, payload)
      state.found[payload.room] = payload.text
    end,

    -- Half a degree to either side, so that the heating doesn't keep switching on and off.
    ["thermometer/measure"] = function(state, payload)
      if payload.celsius < state.target - 0.5 then state.on = true end
      if payload.celsius > state.target + 0.5 then state.on = false end
    end,
  },

  effects = {
    -- A service of the program's own.
    look = function(payload, self)
      local done, celsius = pcall(moon.sensor.read, payload.room, { offset = 0.5 })
      self.dispatch("found", { room = payload.room, text = done and celsius or celsius.code })
    end,
  },

  observe = {
    ["heating.on"] = function(on, _, self)
      -- Tells the module in Swift, which has no other way of knowing.
      self.dispatch("thermometer/note", { text = on and "heating" or "idle" })
    end,
  },

  routes = {
    ["/heating"] = { option = moon.root(), screen = function() return { title = "Heating" } end },
  },

  views = {
    heating = function(screen, state, self)
      return {
        ui.facts {
          { "Now", tostring(self.state("thermometer.celsius")) .. " °C" },
          { "Wanted", tostring(state.target) .. " °C" },
          { "Heating", state.on and "on" or "off" },
        },
      }
    end,
  },
}
