-- The counterpart of Caesura's `Manager.start`. The mapper in mapper.lua starts the first module.
local moon = require "moonwire"

return moon.module {
  description = "Starts the first module",

  actions = { launched = { "The app is there: ApplicationCompletionAction.didFinishLaunching" } },

  on_start = function(self)
    self.dispatch("launched")
  end,
}
