-- Run with: moonwire test .

return {
  ["a task is added, opened and finished"] = function(t)
    t.input { title = " Buy milk " }
    t.tap "Add"
    t.tap "Buy milk"
    t.equal(t.screen().title, "Task 1")
    t.tap "Finish"
    t.back()
    t.contains(t.screen().lines, "[1] ✓ Buy milk")
  end,

  ["a task needs a title, and only tasks that are there are finished"] = function(t)
    t.refused("tasks/add", { title = "  " }, "needs a title")
    t.refused("tasks/finish", { id = 7 }, "no task 7")
  end,

  ["a link shows the list below the task"] = function(t)
    t.dispatch("tasks/add", { title = "Buy milk" })
    t.route "/tasks/1"
    t.back()
    t.equal(t.screen().title, "Tasks")
  end,
}
