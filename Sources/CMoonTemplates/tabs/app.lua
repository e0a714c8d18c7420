-- The only module that knows which others there are.
local moon = require "moonwire"

return moon.module {
  description = "Shows a tab for each feature",

  -- Runs in each new session. A reload doesn't run it again, so that open screens stay.
  on_start = function(self)
    self.dispatch(moon.nav.set(moon.nav.tabs {
      moon.nav.stack { "/tasks", id = "tasks" },
      moon.nav.stack { "/settings", id = "settings" },
    }))
  end,
}
