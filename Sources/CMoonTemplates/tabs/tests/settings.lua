-- Run with: moonwire test .

return {
  ["a name is saved"] = function(t)
    t.route "/settings"
    t.input { name = "Ada" }
    t.tap "Save"
    t.equal(t.state "settings.name", "Ada")
  end,

  ["whoever forgets everything has no tasks left"] = function(t)
    t.dispatch("tasks/add", { title = "Buy milk" })
    t.dispatch("settings/rename", { name = "Ada" })
    t.dispatch "settings/forget"
    t.equal(t.state "tasks.tasks", {})
    t.equal(t.state "settings.name", "")
  end,
}
