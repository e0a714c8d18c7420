-- Run with: moonwire test .

return {
  ["jobs are carried out one after the other"] = function(t)
    t.dispatch("jobs/submit", { text = "a" })
    t.dispatch("jobs/submit", { text = "b" })
    t.advance(1)
    t.equal(t.state "jobs.results", { { id = 1, result = "A" } })
    t.advance(1)
    t.equal(#t.state "jobs.results", 2)
    t.equal(t.state "jobs.waiting", {})
    t.equal(t.tasks(), {})
  end,

  ["only the latest results are kept"] = function(t)
    t.dispatch("jobs/finish", { id = 1, result = "A", kept = 1 })
    t.dispatch("jobs/finish", { id = 2, result = "B", kept = 1 })
    t.equal(t.state "jobs.results", { { id = 2, result = "B" } })
  end,
}
