-- Orders at a shop: each is paid for, reserved and shipped by a durable effect, which goes on where
-- it was, whatever ends the program.
local moon = require "moonwire"

-- Asks the shop for a step of an order, again while the shop is busy.
local function ask(step, order, self)
  local url = self.settings.shop .. "/" .. step
  for attempt = 1, self.settings.attempts do
    local answer = moon.http.post(url, { json = order, accept = "json", timeout = 5 })
    if answer.status ~= 503 then return answer end
    self.dispatch("postponed", { id = order.id })
    moon.sleep(self.settings.pause * 2 ^ (attempt - 1))
  end
  error(("the shop is too busy for order %s"):format(order.id), 0)
end

return moon.module {
  description = "Orders at a shop",
  needs = { "net:localhost" },

  settings = {
    shop = { "string", "Where the shop is", default = "http://localhost:8080" },
    attempts = { "integer", "How often a busy shop is asked", default = 10 },
    pause = { "number", "The seconds before the second attempt; then twice as long", default = 1 },
    delay = { "number", "The seconds from reserving to shipping", default = 5 },
  },

  -- The orders by their ids.
  state = { all = {} },

  actions = {
    place = { "Orders something", id = "string", item = "string" },
    reach = { "An order has come to a step", id = "string", step = "string" },
    postponed = { "The shop was busy", id = "string" },
  },

  reducers = {
    place = function(state, payload)
      if state.all[payload.id] then moon.refuse(("there is an order %s"):format(payload.id)) end
      state.all[payload.id] = { item = payload.item, step = "placed", busy = 0 }
    end,
    reach = function(state, payload) state.all[payload.id].step = payload.step end,
    postponed = function(state, payload)
      local order = state.all[payload.id]
      order.busy = order.busy + 1
    end,
  },

  effects = {
    place = {
      durable = true,
      run = function(payload, self)
        local order = { id = payload.id, item = payload.item }
        local function reach(step) self.dispatch("reach", { id = order.id, step = step }) end

        local paid = ask("pay", order, self)
        if not paid.ok then return reach("refused") end
        order.receipt = paid.json.receipt
        reach("paid")

        if not ask("reserve", order, self).ok then
          ask("refund", order, self)
          return reach("refunded")
        end
        reach("reserved")

        moon.sleep(self.settings.delay)
        ask("ship", order, self)
        reach("shipped")
      end,
    },
  },
}
