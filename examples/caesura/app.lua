-- What Caesura's `Manager.start` did. `ModuleMapper` below decides what begins.
local moon = require "moonwire"

return moon.module {
  description = "Starts the first module",

  actions = { launched = { "The app is there: ApplicationCompletionAction.didFinishLaunching" } },

  on_start = function(self)
    self.dispatch("launched")
  end,
}
