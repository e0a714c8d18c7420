-- Run with: moonwire test .

return {
  ["titles are added and removed"] = function(t)
    t.dispatch("feature/add", { title = "one" })
    t.equal(t.state "feature.titles", { "one" })
    t.dispatch "feature/clear"
    t.equal(t.state "feature.titles", {})
  end,

  ["an empty title is refused"] = function(t)
    t.refused("feature/add", { title = "" }, "one letter")
  end,
}
