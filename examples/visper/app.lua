-- VISPER's app. Loading the directory and this hook replace its factory and `AppDelegate`.
local moon = require "moonwire"

return moon.module {
  description = "Begins with the start screen",

  on_start = function(self)
    self.route("/start")
  end,
}
