-- Run with: moonwire test .

return {
  ["the count grows by 1, or by what is asked for"] = function(t)
    t.dispatch "counter/add"
    t.dispatch("counter/add", { by = 2 })
    t.equal(t.state "counter.count", 3)
  end,

  ["what isn't a whole number is refused"] = function(t)
    t.refused("counter/add", { by = "many" })
    t.equal(t.state "counter.count", 0)
  end,

  ["the buttons count, and start again"] = function(t)
    t.route "/"
    t.tap "Add"
    t.contains(t.screen().lines, "Count: 1")
    t.tap "Reset"
    t.contains(t.screen().lines, "Count: 0")
  end,
}
