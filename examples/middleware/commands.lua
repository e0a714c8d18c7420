-- Turns what people type into what they mean. A middleware gets the action and the whole state,
-- and answers with what goes on in its place; it changes neither.
local moon = require "moonwire"

return moon.module {
  description = "Understands /me and /clear, and several lines at once",

  middleware = {
    -- Only messages come here: an action that `on` doesn't name costs nothing.
    on = "chat/send",
    run = function(action)
      local text = action.payload.text

      if text == "/clear" then return { type = "chat/clear" } end
      local deed = text:match("^/me (.+)$")
      if deed then return { type = "chat/act", payload = { text = deed } } end

      -- A list of actions: each of them goes on. An empty list drops, as `false` does.
      local lines = {}
      for line in text:gmatch("[^\n]+") do
        lines[#lines + 1] = { type = "chat/send", payload = { text = line } }
      end
      if #lines ~= 1 then return lines end

      -- Nothing is returned: the action goes on as it is.
    end,
  },
}
