-- A StateObservingFeature and a RoutingObserver: it observes the state and all routings.
local moon = require "moonwire"

return moon.module {
  description = "Says what happens, and keeps page 3 closed",

  -- VISPER calls a new observer with the current state; `initial` does the same.
  observe = {
    ["start.title"] = { initial = true, run = function(title) print("the title is " .. title) end },
  },

  routing_observers = {
    will = function(route)
      if route.params.number == 3 then
        return moon.redirect("/message/nobody")
      end
    end,
    did = function(route, screen)
      if screen then
        print("showed " .. route.pattern .. " as " .. screen.title)
      end
    end,
  },
}
