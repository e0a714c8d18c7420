-- Jobs that other programs hand in. With a journal, none is lost when the program ends.
local moon = require "moonwire"

-- Returns the id and the text of the oldest job that waits. What `self.state` returns can't be used
-- after a wait, so an effect copies what it needs.
local function oldest(self)
  local job = self.state("jobs.waiting")[1]
  if job then return job.id, job.text end
end

return moon.module {
  description = "Carries out jobs, one after the other",

  settings = {
    pause = { "number", "The seconds that a job takes", default = 1 },
    kept = { "integer", "The number of results that are kept", default = 100 },
  },

  state = { last_id = 0, waiting = moon.list(), results = moon.list() },

  actions = {
    submit = { "Hands in a job", text = "string" },
    work = "Carries out the oldest job",
    finish = { "Says what has come of a job", id = "integer", result = "string", kept = "integer" },
  },

  reducers = {
    submit = function(state, payload)
      state.last_id = state.last_id + 1
      state.waiting[#state.waiting + 1] = { id = state.last_id, text = payload.text }
    end,

    finish = function(state, payload)
      for index, job in ipairs(state.waiting) do
        if job.id == payload.id then
          table.remove(state.waiting, index)
          break
        end
      end
      state.results[#state.results + 1] = { id = payload.id, result = payload.result }
      while #state.results > payload.kept do table.remove(state.results, 1) end
    end,
  },

  effects = {
    submit = function(_, self)
      self.dispatch "work"
    end,

    -- The work itself: waits, calls of services, and an action at the end of each job.
    work = {
      policy = "first",
      run = function(_, self)
        local id, text = oldest(self)
        while id do
          moon.sleep(self.settings.pause)
          local result = { id = id, result = text:upper(), kept = self.settings.kept }
          self.dispatch_and_wait("finish", result)
          id, text = oldest(self)
        end
      end,
    },
  },

  -- Continues with what waits when a run is resumed.
  on_restore = function(self)
    self.dispatch "work"
  end,

  -- What other programs ask with `moonwire call jobs/status`.
  commands = {
    status = {
      "How many jobs there are",
      run = function(_, self)
        local state = self.state "jobs"
        return { waiting = #state.waiting, results = #state.results }
      end,
    },
  },
}
