-- Plays a video while its screen is on top, and only then.
--
-- Each stage of a screen's life has a listener. A screen is loaded once. It appears and disappears
-- each time another screen uncovers or covers it.
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

  -- A listener can read the state and dispatch, but `state` is read-only. Dispatched actions wait
  -- until the current one is done, so all listeners see the same navigation.
  lifecycle = {
    -- Called once, before the screen is first shown. Acquire resources here.
    load = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("open", { id = id(screen) })
    end,

    -- The screen is on top, because of a routing or because the screen above it is gone.
    did_appear = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("play", { id = id(screen) })
    end,

    -- The screen is about to be covered or removed. End here what began in `did_appear`.
    will_disappear = function(screen, event, state, self)
      note(screen, event)
      self.dispatch("pause")
    end,

    -- The other stages, so that the session shows their order.
    did_load = note,
    will_route = note,
    will_appear = note,
    did_route = note,
    did_disappear = note,
  },
}
