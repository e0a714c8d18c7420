-- Shows the screens of other modules in tabs.
local moon = require "moonwire"

local tabs = { "shop", "news" }
local function is_tab(module)
  for _, name in ipairs(tabs) do
    if name == module then return true end
  end
end

return moon.module {
  description = "Tabs, each with a stack of its own",

  on_start = function(self)
    local stacks = {}
    for i, name in ipairs(tabs) do stacks[i] = moon.nav.stack { "/" .. name, id = name } end
    self.dispatch(moon.nav.set(moon.nav.tabs(stacks)))
  end,

  -- Shows a screen in the tab of its module. The tab already has its first screen.
  routing_presenters = {
    show = function(screen)
      if not is_tab(screen.module) then return moon.nav.present(screen) end
      local is_first = screen.url == "/" .. screen.module
      return {
        moon.nav.dismiss_to_root(),
        moon.nav.select_tab(screen.module),
        is_first and moon.nav.pop_to_root() or moon.nav.push(screen),
      }
    end,
  },
}
