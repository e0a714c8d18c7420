-- Copying, moving, renaming, the trash, and undoing all of it.
local sample = {
  { name = "a.txt", kind = "file", size = 1, modified = 1 },
  { name = "b.txt", kind = "file", size = 2, modified = 2 },
  { name = "papers", kind = "directory", modified = 3 },
}

-- Answers that something was done, and returns what was asked for.
local function done(t, name, answer)
  local call = t.call(name)
  t.answer(call, answer)
  return call.arguments
end

local function moved(t, from, to)
  local arguments = done(t, "files.rename")
  t.equal({ arguments.path, arguments.to }, { from, to })
end

-- A job ends with reading the directory again.
local function read_again(t) t.answer("files.list", sample) end

-- Into the trash, as the first thing there or another.
local function trashed(t, name, number)
  if number == 1 then t.fail("files.list", "not_found", "there is none") end
  t.equal(done(t, "files.make_directory").path, "sample/.trash/" .. number)
  t.equal(done(t, "files.write").data, name)
  moved(t, "sample/" .. name, "sample/.trash/" .. number .. "/" .. name)
end

local function said(t) return t.state "files.said.text" end

return {
  setup = function(t) t.answer("files.list", sample) end,

  ["d puts into the trash, u takes back, U does it again"] = function(t)
    t.press("d", 2)
    trashed(t, "a.txt", 1)
    read_again(t)
    t.equal(said(t), "Put a.txt into the trash  (u: undo)")

    t.press "u"
    moved(t, "sample/.trash/1/a.txt", "sample/a.txt")
    t.equal(done(t, "files.remove").path, "sample/.trash/1")
    t.equal(done(t, "files.remove").path, "sample/.trash/1.txt")
    read_again(t)
    t.contains(said(t), "Undone: Put a.txt into the trash")
    local list = t.state("files.lists")[""]
    t.equal(list.entries[list.cursor].name, "a.txt")
    t.refused("files/undo", {}, "nothing to undo")

    t.press "U"
    done(t, "files.make_directory")
    done(t, "files.write")
    moved(t, "sample/a.txt", "sample/.trash/1/a.txt")
    read_again(t)
    t.equal(#t.state "files.done", 1)
    t.refused("files/redo", {}, "nothing to do again")
  end,

  ["what is marked goes first, and one failure keeps nothing else from it"] = function(t)
    t.press("space", 2)
    t.press("space", 3)
    t.contains(t.screen().lines[1], "2 marked")
    t.press("d", 1)
    t.fail("files.list", "not_found", "there is none")
    done(t, "files.make_directory")
    done(t, "files.write")
    t.fail("files.rename", "not_permitted", "no")
    trashed(t, "b.txt", 2)
    read_again(t)
    t.equal(t.state "files.said.failures", { "a.txt: the system doesn't permit it" })
    t.contains(said(t), "Put b.txt into the trash")
    t.equal(t.state "files.marked", { ["a.txt"] = true })
  end,

  ["y and p copy with a free name"] = function(t)
    t.press("y", 2)
    t.press "p"
    t.answer("files.exists", true)
    t.answer("files.exists", false)
    local command = done(t, "processes.run", { status = 0, output = "", errors = "" }).command
    t.equal(command[6], "sample/a.txt")
    t.equal(command[7], "sample/a (2).txt")
    read_again(t)
    t.equal(t.state("files.done")[1].made, { "a (2).txt" })

    t.press "u"
    trashed(t, "a (2).txt", 1)
    read_again(t)
    t.contains(said(t), "Undone: Copied a.txt to the top")
  end,

  ["a copy that fails halfway can be undone, too"] = function(t)
    t.press("y", 3)
    t.press "p"
    t.answer("files.exists", false)
    done(t, "processes.run", { status = 1, output = "", errors = "the disk is full" })
    read_again(t)
    t.equal(t.state "files.said.failures", { "b.txt: the disk is full" })
    t.equal(t.state("files.done")[1].made, { "b.txt" })
  end,

  ["x and p move, but not into itself"] = function(t)
    t.press("x", 1)
    t.press "p"
    read_again(t)
    t.equal(t.state "files.said.failures", { "papers: it is here already" })
    t.press("l", 1)
    read_again(t)
    t.press "p"
    t.answer("files.list", {})
    t.equal(t.state "files.said.failures", { "papers: it can't be put into itself" })
  end,

  ["nothing is pasted when nothing was taken"] = function(t)
    t.refused("files/paste", {}, "Nothing was taken")
    t.refused("files/trash", {}, "Move to an entry first")
    t.refused("files/mark", {}, "Move to an entry first")
  end,

  ["r gives another name, unless it is taken"] = function(t)
    t.press("r", 2)
    t.equal(t.screen().title, "Rename a.txt")
    t.refused("files/rename", { path = "a.txt", name = "a.txt" }, "its name already")
    t.refused("files/rename", { path = "a.txt", name = "b.txt" }, "There is 'b.txt' already")
    t.refused("files/rename", { path = "a.txt", name = "b/c" }, "can't have a '/'")
    t.refused("files/rename", { path = "a.txt", name = ".." }, "meaning of its own")
    t.input { name = "c.txt" }
    t.press "ctrl+s"
    moved(t, "sample/a.txt", "sample/c.txt")
    read_again(t)
    t.equal(t.screen().kind, "list")
  end,

  ["a makes a directory for a name with / at its end"] = function(t)
    t.press "a"
    t.input { name = "new/" }
    t.press "ctrl+s"
    t.answer("files.exists", false)
    t.equal(done(t, "files.make_directory").path, "sample/new")
    read_again(t)
    t.refused("files/create", { name = "papers" }, "There is 'papers' already")
  end,

  ["a makes the directories on the way, too, and undoing takes them back"] = function(t)
    t.refused("files/create", { name = "new//x" }, "can't be empty")
    t.refused("files/create", { name = "../x" }, "meaning of its own")
    t.dispatch("files/create", { name = "papers/new/x.txt" })
    t.answer("files.exists", false)
    t.answer("files.exists", true)
    t.answer("files.exists", false)
    t.equal(done(t, "files.make_directory").path, "sample/papers/new")
    t.equal(done(t, "files.write").path, "sample/papers/new/x.txt")
    read_again(t)
    t.equal(t.state("files.done")[1].made, { "papers/new" })
    t.equal(t.state("files.lists")[""].cursor, 1)
  end,

  ["one job at a time"] = function(t)
    t.press("d", 2)
    t.refused("files/create", { name = "x" }, "Wait until this has ended: putting into the trash")
    trashed(t, "a.txt", 1)
    read_again(t)
  end,

  ["what can't be undone yet stays to be undone"] = function(t)
    t.dispatch("files/rename", { path = "a.txt", name = "c.txt" })
    moved(t, "sample/a.txt", "sample/c.txt")
    read_again(t)
    t.press "u"
    t.fail("files.rename", "exists", "there is one")
    t.answer("files.exists", true)
    read_again(t)
    t.equal(#t.state "files.done", 1)
    t.equal(#t.state "files.undone", 0)
    t.equal(t.state "files.said.failures", { "c.txt: there is something of that name already" })
    t.equal(said(t), "")
  end,

  ["what has gone meanwhile doesn't keep the rest from being undone"] = function(t)
    t.dispatch("files/rename", { path = "a.txt", name = "c.txt" })
    moved(t, "sample/a.txt", "sample/c.txt")
    read_again(t)
    t.press "u"
    t.fail("files.rename", "not_found", "there is none")
    t.answer("files.exists", false)
    read_again(t)
    t.equal(#t.state "files.done", 0)
    t.equal(t.state "files.said.failures", { "c.txt: it isn't there any more" })
  end,

  ["the trash is listed, restored from, and emptied after a question"] = function(t)
    local cases = {
      { name = "1", kind = "directory", modified = 1 },
      { name = "1.txt", kind = "file", size = 9, modified = 1 },
    }
    local case = { { name = "x.txt", kind = "file", size = 1, modified = 1 } }
    local function listed()
      t.answer("files.list", cases)
      t.answer("files.list", case)
      t.answer("files.read", "papers/x.txt")
    end
    t.press "T"
    listed()
    t.tap "papers/x.txt"
    done(t, "files.make_directory")
    t.answer("files.exists", false)
    moved(t, "sample/.trash/1/x.txt", "sample/papers/x.txt")
    done(t, "files.remove")
    done(t, "files.remove")
    read_again(t)
    listed()
    t.press "E"
    t.equal(t.screen().title, "Empty the trash?")
    t.tap "Empty"
    t.equal(done(t, "files.remove").path, "sample/.trash")
    read_again(t)
    t.fail("files.list", "not_found", "there is none")
    t.equal(t.state "files.trash.count", 0)
    t.equal(#t.state "files.done", 0)
  end,
}
