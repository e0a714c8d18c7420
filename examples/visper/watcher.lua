-- A StateObservingFeature and a RoutingObserver: it sees the state and the routings of all.
local moon = require "moonwire"

return moon.module {
  description = "Says what happens, and keeps page 3 closed",

  -- VISPER called an observer at once with the state as it was; `initial` asks for that.
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
