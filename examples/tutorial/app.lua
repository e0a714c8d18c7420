-- Shows the start screen when the session begins.
local moon = require "moonwire"

return moon.module {
  description = "Shows the start screen when the app begins",

  on_start = function(self)
    self.route("/start")
  end,
}
