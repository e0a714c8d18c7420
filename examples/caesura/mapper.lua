-- Caesura's ModuleMapper: the one place that knows which module follows from which action.
--
-- Caesura swallowed the mapped action unless the mapper returned it as well. Here it goes on.
local moon = require "moonwire"

return moon.module {
  description = "Says which module starts after which action",

  map_modules = {
    ["app/launched"] = function()
      return moon.start "tab_bar"
    end,

    ["list/selected"] = function(action)
      return moon.start("detail", action.payload)
    end,

    -- Two mappers of one action are both asked; an answer can hold several.
    ["tab_bar/closed"] = function()
      return { moon.stop "list", moon.stop "detail" }
    end,
  },
}
