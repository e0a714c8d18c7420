-- Run with: moonwire test .

return {
  ["whoever gives a name is greeted"] = function(t)
    t.route "/feature"
    t.input { name = "Ada" }
    t.tap "Greet"
    t.contains(t.screen().lines, "Hello, Ada")
  end,
}
