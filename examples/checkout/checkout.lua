local moon = require "moonwire"
local ui = moon.ui

return moon.module {
  description = "Pays for what is in the cart",

  needs = { "net:pay.example.org" },

  state = { status = "open" },

  actions = {
    pay = { "Asks the bank for money", count = "integer", amount = "integer" },
    paying = "Says that the bank has been asked",
    paid = { "Says that the bank has agreed", count = "integer" },
    declined = { "Says why the bank hasn't", reason = "string" },
  },

  reducers = {
    paying = function(state) state.status = "paying" end,
    paid = function(state) state.status = "paid" end,
    declined = function(state, payload) state.status = payload.reason end,
  },

  effects = {
    -- A bank that is busy is asked again, three times in all.
    pay = { policy = "first", run = function(payload, self)
      self.dispatch "paying"
      for attempt = 1, 3 do
        local answer = moon.http.post("https://pay.example.org/", {
          json = { amount = payload.amount },
        })
        if answer.status == 200 then
          self.dispatch("paid", { count = payload.count })
          self.dispatch "cart/clear"
          return
        elseif answer.status ~= 503 then
          return self.dispatch("declined", { reason = "declined" })
        end
        moon.sleep(attempt)
      end
      self.dispatch("declined", { reason = "the bank is busy" })
    end },
  },

  routes = {
    ["/"] = { screen = function() return { kind = "checkout", title = "Checkout" } end },
  },

  -- What the screen shows of the modules, and what its buttons do to them.
  connect = {
    from = { "cart", "account", status = "checkout.status" },
    props = function(from)
      local cart, account = from.cart, from.account
      return {
        order = account.name .. " buys " .. cart.count .. " for " .. cart.count * cart.price,
        note = from.status .. ", " .. account.points .. " points",
        is_empty = cart.count == 0,
      }
    end,
    actions = function(from)
      local count = from.cart.count
      return {
        add = "cart/add",
        pay = { type = "pay", payload = { count = count, amount = count * from.cart.price } },
      }
    end,
  },

  views = {
    checkout = function(screen)
      local props = screen.props
      return {
        ui.text(props.order),
        ui.text(props.note),
        ui.actions {
          ui.button("Add one", props.actions.add),
          ui.button("Pay", props.actions.pay, nil, { disabled = props.is_empty }),
        },
      }
    end,
  },
}
