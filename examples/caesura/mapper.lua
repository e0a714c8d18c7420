-- Caesura's ModuleMapper: the only part that knows which module follows from which action.
--
-- In Caesura a mapped action is dropped unless the mapper returns it too. Here it continues.
local moon = require "moonwire"

return moon.module {
  description = "Says which module starts after which action",

  map_modules = {
    -- A new session starts its window, and Caesura's first module with it. A restored session
    -- announces `nav/did_restore` instead, and keeps its screens.
    ["nav/did_start"] = function()
      return moon.start "tab_bar"
    end,

    ["list/selected"] = function(action)
      return moon.start("detail", action.payload)
    end,

    -- All mappers of an action are called, and each can return several answers.
    ["tab_bar/closed"] = function()
      return { moon.stop "list", moon.stop "detail" }
    end,
  },
}
