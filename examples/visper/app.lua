-- VISPER's app: what its factory and `AppDelegate` do is loading the directory and this hook.
local moon = require "moonwire"

return moon.module {
  description = "Begins with the start screen",

  on_start = function(self)
    self.route("/start")
  end,
}
