-- Plays a video while its screen is on top, and only then.
--
-- What happens to a screen is told by stage. A screen is loaded once; it appears and disappears as
-- often as others come and go above it.
local moon = require "moonwire"
local ui = moon.ui

local function id(screen)
  return screen.params.id
end

local function note(screen, event)
  print(event.stage .. "  " .. screen.title)
end

return moon.module {
  description = "Plays videos",

  state = { playing = "", opened = {} },

  actions = {
    open = { "Notes that a video was opened", id = "string" },
    play = { "Plays a video", id = "string" },
    pause = { "Pauses what plays" },
  },

  reducers = {
    open = function(state, payload)
      state.opened[payload.id] = (state.opened[payload.id] or 0) + 1
    end,
    play = function(state, payload)
      state.playing = payload.id
    end,
    pause = function(state)
      state.playing = ""
    end,
  },

  routes = {
    ["/video/:id"] = function(route)
      return { title = "Video " .. route.params.id }
    end,
  },

  views = {
    video = function(screen, state)
      return {
        ui.text(state.playing == id(screen) and "▶ playing" or "‖ paused"),
        ui.open("Comments", "/comments/" .. id(screen)),
      }
    end,
  },

  -- A listener looks and dispatches: `state` can't be changed here. Since the action waits for the
  -- end of what is under way, all listeners see the same navigation.
  lifecycle = {
    -- Once, before it is shown for the first time: the place to begin with something.
    load = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("open", { id = id(screen) })
    end,

    -- On top, by a routing or because what covered it is gone.
    did_appear = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("play", { id = id(screen) })
    end,

    -- Covered, or about to be removed for good: end here what began in `did_appear`.
    will_disappear = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("pause")
    end,

    -- The others, so that the session shows when they come.
    did_load = note,
    will_route = note,
    will_appear = note,
    did_route = note,
    did_disappear = note,
  },
}
