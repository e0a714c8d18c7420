-- Run with: moonwire test examples/checkout

local function fill_cart(t, count)
  for _ = 1, count do t.tap "Add one" end
  t.equal(t.state "cart.count", count)
end

return {
  setup = function(t) t.route "/" end,

  ["the total follows the cart and the name"] = function(t)
    t.contains(t.screen().lines, "Ada buys 0 for 0")
    fill_cart(t, 2)
    t.dispatch("account/rename", { name = "Eva" })
    t.contains(t.screen().lines, "Eva buys 2 for 6")
  end,

  ["an order is paid"] = function(t)
    fill_cart(t, 2)
    t.tap "Pay"
    t.equal(t.state "checkout.status", "paying")
    t.equal(t.call("http.post").arguments.json, { amount = 6 })
    t.answer("http.post", { status = 200 })
    t.receive("checkout/paid", { count = 2 })
    t.equal(t.state "account.points", 2)
    t.equal(t.state "cart.count", 0)
  end,

  ["a busy bank is asked again after 1 second, and then after 2"] = function(t)
    fill_cart(t, 1)
    t.tap "Pay"
    t.answer("http.post", { status = 503 })
    t.equal(t.tasks(), { "checkout effect checkout/pay waits for 1.0 s" })
    t.advance(1)
    t.answer("http.post", { status = 503 })
    t.advance(1)
    t.equal(t.state "checkout.status", "paying")
    t.equal(t.tasks(), { "checkout effect checkout/pay waits for 2.0 s" })
    t.advance(1)
    t.answer("http.post", { status = 200 })
    t.equal(t.state "checkout.status", "paid")
  end,

  ["a bank that stays busy leaves the cart as it is"] = {
    answers = { ["http.post"] = { status = 503 } },
    run = function(t)
      fill_cart(t, 1)
      t.tap "Pay"
      t.advance(60)
      t.equal(t.state "checkout.status", "the bank is busy")
      t.equal(t.state "cart.count", 1)
      t.equal(t.tasks(), {})
    end,
  },

  ["what can't be paid is declined, and nobody pays twice at once"] = {
    exhaustive = true,
    run = function(t)
      t.dispatch("checkout/pay", { count = 1, amount = 3 })
      t.dispatch("checkout/pay", { count = 1, amount = 3 })
      t.answer("http.post", { status = 402 })
      t.receive "checkout/paying"
      t.receive("checkout/declined", { reason = "declined" })
    end,
  },
}
