-- Turns typed commands into actions. A middleware gets the action and the whole state. It changes
-- neither, and returns the actions that go on in place of the one it got.
local moon = require "moonwire"

return moon.module {
  description = "Understands /me and /clear, and several lines at once",

  middleware = {
    -- Called for messages only: other actions don't cost a call.
    on = "chat/send",
    run = function(action)
      local text = action.payload.text

      if text == "/clear" then return { type = "chat/clear" } end
      local deed = text:match("^/me (.+)$")
      if deed then return { type = "chat/act", payload = { text = deed } } end

      -- Each action of the list goes on. An empty list drops the action, as `false` does.
      local lines = {}
      for line in text:gmatch("[^\n]+") do
        lines[#lines + 1] = { type = "chat/send", payload = { text = line } }
      end
      if #lines ~= 1 then return lines end

      -- Without a return value, the action goes on as it is.
    end,
  },
}
