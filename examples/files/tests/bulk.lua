-- Many new names at once.
local bulk = require "bulk"

local sample = {
  { name = "1.txt", kind = "file", size = 1, modified = 1 },
  { name = "2.txt", kind = "file", size = 2, modified = 2 },
}

local function names(t, text)
  t.press "R"
  t.input { names = text }
  t.press "ctrl+s"
  t.equal(t.screen().kind, "check")
end

local function renamed(t)
  local call = t.call "files.rename"
  t.answer(call)
  return call.arguments.path:sub(8) .. " " .. call.arguments.to:sub(8)
end

return {
  setup = function(t) t.answer("files.list", sample) end,

  ["names are exchanged, and the exchange is undone"] = function(t)
    names(t, "2.txt\n1.txt\n")
    t.equal(t.screen().lines[1], "1.txt  →  2.txt")
    t.press "ctrl+s"
    t.equal(renamed(t), "1.txt .renaming-1")
    t.equal(renamed(t), "2.txt .renaming-2")
    t.equal(renamed(t), ".renaming-1 2.txt")
    t.equal(renamed(t), ".renaming-2 1.txt")
    t.answer("files.list", sample)
    t.press "u"
    t.equal(renamed(t), "1.txt .renaming-2")
    t.equal(renamed(t), "2.txt .renaming-1")
    t.equal(renamed(t), ".renaming-2 2.txt")
    t.equal(renamed(t), ".renaming-1 1.txt")
    t.answer("files.list", sample)
    t.contains(t.state "files.said.text", "Undone: Renamed 2 entries")
  end,

  ["all or none"] = function(t)
    names(t, "3.txt\n4.txt")
    t.press "ctrl+s"
    t.equal(renamed(t), "1.txt 3.txt")
    t.fail("files.rename", "exists", "there is one")
    t.equal(renamed(t), "3.txt 1.txt")
    t.answer("files.list", sample)
    t.equal(t.state "files.said.failures", {
      "nothing was renamed: there is something of that name already",
    })
    t.equal(#t.state "files.done", 0)
  end,

  ["what doesn't fit is said, and can be mended"] = function(t)
    names(t, "only one")
    t.contains(t.screen().lines[1], "1 line for 2 entries")
    t.refused("files/bulk_rename", {}, "each entry needs its own line")
    t.back()
    t.input { names = "x/y\n2.txt" }
    t.press "ctrl+s"
    t.contains(t.screen().lines[1], "can't have a '/'")
    t.back()
    t.input { names = "1.txt\n2.txt" }
    t.press "ctrl+s"
    t.contains(t.screen().lines[1], "No name is another one")
    t.refused("files/bulk_rename", {}, "No name is another one")
  end,

  ["two entries can't have one name"] = function(t)
    local changes, problem = bulk.plan({ "d/1", "d/2", "e/2" }, "2\n2\n2")
    t.equal(problem, "Some names can't be given.")
    t.equal(#changes, 2)
    t.equal(changes[1].problem, "two entries would have this name")
  end,

  ["a name is given once its owner has left"] = function(t)
    local changes = bulk.plan({ "a", "b", "c" }, "b\nc\nd")
    local taken = { a = true, b = true, c = true }
    for _, move in ipairs(bulk.moves(changes)) do
      t.ok(taken[move.from] and not taken[move.to], move.from .. " to " .. move.to)
      taken[move.from], taken[move.to] = nil, true
    end
    t.equal(taken, { b = true, c = true, d = true })
  end,
}
