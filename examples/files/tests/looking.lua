-- Going up and in, and what is shown of a directory. Files are what the test says they are.
local words = require "words"
local paths = require "paths"

local sample = {
  { name = ".profile", kind = "file", size = 10, modified = 100 },
  { name = "b10.txt", kind = "file", size = 30, modified = 300 },
  { name = "b9.txt", kind = "file", size = 2000, modified = 200 },
  { name = "papers", kind = "directory", modified = 400 },
}

local function names(t, path)
  local shown = {}
  for place, entry in ipairs(t.state("files.lists")[path].entries) do shown[place] = entry.name end
  return table.concat(shown, " ")
end

local function start(t)
  t.answer("files.list", sample)
  t.equal(t.screen().title, "Files")
end

-- Shows a directory of so many files instead.
local function fill(t, count)
  local many = {}
  for number = 1, count do
    many[number] = { name = "f" .. number, kind = "file", size = 1, modified = 1 }
  end
  t.press "ctrl+r"
  t.answer("files.list", many)
end

return {
  setup = start,

  ["directories come first, and figures count as numbers"] = function(t)
    t.equal(names(t, ""), "papers b9.txt b10.txt")
    t.contains(table.concat(t.screen().lines, "\n"), "2.0 KB")
  end,

  ["l goes into a directory, and h up again"] = function(t)
    t.press("l", 1)
    local call = t.call "files.list"
    t.equal(call.arguments.path, "sample/papers")
    t.answer(call, { { name = "one.txt", kind = "file", size = 1, modified = 1 } })
    t.equal(t.screen().title, "papers")
    t.equal(names(t, "papers"), "one.txt")
    t.press "h"
    t.answer("files.list", sample)
    t.equal(t.state "files.place", "")
    t.refused("files/up", {}, "This is the top")
  end,

  ["what the cursor is on is shown beside the list, and Enter shows it alone"] = function(t)
    t.press("focus", 2)
    t.answer("files.info", { kind = "file", size = 8, modified = 1, permissions = 420 })
    t.answer("files.read", "one\n\ttwo\n")
    t.equal(t.state("files.lists")[""].cursor, 2)
    t.equal(t.state "files.looked.lines", { "one", "    two" })
    t.contains(table.concat(t.screen().lines, "\n"), "8 B, 2 lines")
    t.tap(2)
    t.answer("files.info", { kind = "file", size = 8, modified = 1, permissions = 420 })
    t.answer("files.read", "one\n\ttwo\n")
    t.equal(t.screen().kind, "view")
    t.contains(t.screen().lines[2] .. t.screen().lines[3], "two")
  end,

  ["a program tells what isn't text"] = function(t)
    t.press("focus", 3)
    t.answer("files.info", { kind = "file", size = 8, modified = 1, permissions = 420 })
    t.fail("files.read", "not_text", "it isn't UTF-8")
    local call = t.call "processes.run"
    t.equal(call.arguments.command, { "file", "--brief", "sample/b10.txt" })
    t.answer(call, { status = 0, output = "PNG image data\n", errors = "" })
    t.equal(t.state "files.looked.lines", { "PNG image data" })
  end,

  ["a small PNG is shown as it is, with what a program tells"] = function(t)
    t.press "ctrl+r"
    t.answer("files.list", { { name = "dot.png", kind = "file", size = 67, modified = 1 } })
    t.press("focus", 1)
    t.answer("files.info", { kind = "file", size = 67, modified = 1, permissions = 420 })
    local call = t.call "files.read"
    t.equal(call.arguments.max, 48000)
    t.answer(call, "\137PNG\r\n\26\nand so on")
    t.fail("files.read", "not_text", "it isn't UTF-8")
    t.answer("processes.run", { status = 0, output = "PNG image data\n", errors = "" })
    t.equal(t.state "files.looked.image", "data:image/png;base64,iVBORw0KGgphbmQgc28gb24=")
    t.contains(table.concat(t.screen().lines, "\n"), "(image: dot.png)")
  end,

  ["other images are made small by a program"] = function(t)
    t.press "ctrl+r"
    t.answer("files.list", { { name = "sea.JPG", kind = "file", size = 9000, modified = 1 } })
    t.press("focus", 1)
    t.answer("files.info", { kind = "file", size = 9000, modified = 1, permissions = 420 })
    local call = t.call "processes.run"
    t.equal(call.arguments.command[2], "sample/sea.JPG[0]")
    t.answer(call, { status = 0, output = "\137PNG\r\n\26\n", errors = "" })
    t.fail("files.read", "not_text", "it isn't UTF-8")
    t.answer("processes.run", { status = 0, output = "JPEG image data\n", errors = "" })
    t.equal(t.state "files.looked.image", "data:image/png;base64,iVBORw0KGgo=")
  end,

  ["what has gone meanwhile is said"] = function(t)
    t.press("focus", 3)
    t.fail("files.info", "not_found", "there is no such file")
    t.equal(t.state "files.looked.note", "it isn't there any more")
  end,

  ["hidden entries, and another order"] = function(t)
    t.press "."
    t.answer("files.list", sample)
    t.equal(names(t, ""), "papers .profile b9.txt b10.txt")
    t.press ", s"
    t.answer("files.list", sample)
    t.equal(names(t, ""), "papers b9.txt b10.txt .profile")
    t.press ", s"
    t.answer("files.list", sample)
    t.equal(names(t, ""), "papers .profile b10.txt b9.txt")
    t.press ", d"
    t.answer("files.list", sample)
    t.equal(names(t, ""), "papers b10.txt b9.txt .profile")
  end,

  ["only names with a text"] = function(t)
    t.press "f"
    t.input { text = "B9" }
    t.press "ctrl+s"
    t.answer("files.list", sample)
    t.equal(names(t, ""), "b9.txt")
  end,

  ["going back takes marks away first, then the filter, and only then goes up"] = function(t)
    t.press("l", 1)
    local one = { { name = "one.txt", kind = "file", size = 1, modified = 1 } }
    t.answer("files.list", one)
    t.dispatch("files/filter", { text = "one" })
    t.answer("files.list", one)
    t.press("space", 1)
    t.back()
    t.equal(t.state "files.marked", {})
    t.equal(t.state "files.filter", "one")
    t.back()
    t.answer("files.list", one)
    t.equal(t.state "files.filter", "")
    t.equal(t.state "files.place", "papers")
    t.back()
    t.answer("files.list", sample)
    t.equal(t.state "files.place", "")
  end,

  ["a search goes below, and leads there"] = function(t)
    t.press "s"
    t.refused("files/search", { text = "" }, "Type a part")
    t.input { text = "one" }
    t.press "ctrl+s"
    t.answer("files.list", sample)
    t.answer("files.list", { { name = "one.txt", kind = "file", size = 1, modified = 1 } })
    t.equal(t.state "files.search.entries", { { path = "papers/one.txt", kind = "file" } })
    t.tap "papers/one.txt"
    t.equal(t.state "files.place", "papers")
  end,

  ["a large directory scrolls with the cursor"] = function(t)
    fill(t, 10000)
    t.contains(t.screen().lines[1], "10,000 entries · at 1")
    t.press "end"
    t.contains(table.concat(t.screen().lines, "\n"), "f10000")
    t.press "ctrl+u"
    t.equal(t.state("files.lists")[""].cursor, 9990)
    t.press "home"
    t.press("focus", 19)
    t.equal(t.state("files.lists")[""].cursor, 19)
    t.equal(t.call("files.info").arguments.path, "sample/f19")
    -- The rows are now drawn around that one.
    t.press("space", 19)
    t.equal(t.state "files.marked", { f27 = true })
    t.equal(t.state("files.lists")[""].cursor, 28)
  end,

  ["keys that are typed ahead move and mark the entry they are meant for"] = function(t)
    fill(t, 300)
    for _ = 1, 60 do t.press "j" end
    t.press "k"
    t.equal(t.state("files.lists")[""].cursor, 60)
    -- The focus of the stage comes after the cursor.
    t.dispatch("files/look", { path = "f5" })
    t.equal(t.state("files.lists")[""].cursor, 60)
    t.dispatch("files/mark", { path = "f5" })
    t.equal(t.state "files.marked", { f60 = true })
    t.equal(t.state("files.lists")[""].cursor, 61)
  end,

  ["the cursor stays on its entry, and goes to what was made or left"] = function(t)
    t.press("focus", 3)
    t.fail("files.info", "not_found", "there is no such file")
    t.press ", s"
    t.answer("files.list", sample)
    t.equal(t.state("files.lists")[""].cursor, 3)
    t.press "."
    t.answer("files.list", sample)
    t.equal(t.state("files.lists")[""].cursor, 3)
    t.press ", d"
    t.answer("files.list", sample)
    t.equal(t.state("files.lists")[""].cursor, 2)
    t.dispatch("files/go", { path = "papers", kind = "directory" })
    t.answer("files.list", {})
    t.answer("files.list", sample)
    t.press "h"
    t.equal(t.state("files.lists")[""].cursor, 1)
  end,

  ["what other programs change is shown after a moment"] = function(t)
    local changes = t.open "files.watch"
    changes:send { path = "sample/new.txt", kind = "changed" }
    t.advance(0)
    t.answer("files.list", { { name = "new.txt", kind = "file", size = 1, modified = 1 } })
    t.equal(names(t, ""), "new.txt")
    -- Many at once are read once.
    for _ = 1, 20 do changes:send { path = "sample/new.txt", kind = "changed" } end
    t.advance(1)
    t.answer("files.list", sample)
    t.equal(names(t, ""), "papers b9.txt b10.txt")
    t.advance(2)
  end,

  ["of a large file, the beginning is shown"] = function(t)
    t.press("focus", 2)
    t.answer("files.info", { kind = "file", size = 4500000, modified = 1, permissions = 420 })
    local call = t.call "processes.run"
    t.equal(call.arguments.command, { "head", "-c", "400000", "--", "sample/b9.txt" })
    t.answer(call, { status = 0, output = ("a line\n"):rep(50000) .. "cut", errors = "" })
    t.equal(#t.state "files.looked.lines", 100)
    t.contains(t.state "files.looked.about", "4.5 MB, its beginning")
  end,

  ["a directory that isn't granted says how to grant it"] = function(t)
    t.press "ctrl+r"
    t.fail("files.list", "not_granted", "not granted")
    t.contains(t.state("files.lists")[""].problem, "--allow read:DIRECTORY")
  end,

  ["bookmarks are kept, and lead there"] = function(t)
    t.press "m"
    t.equal(t.state "files.bookmarks", { "" })
    t.press "'"
    t.tap "(the top)"
    t.equal(t.screen().kind, "list")
    t.press "m"
    t.equal(#t.state "files.bookmarks", 0)
  end,

  ["sizes and names"] = function(t)
    t.equal(words.size(0), "0 B")
    t.equal(words.size(999), "999 B")
    t.equal(words.size(1500), "1.5 KB")
    t.equal(words.size(999600), "1.0 MB")
    t.equal(words.size(20000000), "20 MB")
    t.equal(words.number(1234567), "1,234,567")
    t.equal(paths.numbered("a.tar.gz", 2), "a (2).tar.gz")
    t.equal(paths.numbered(".profile", 2), ".profile (2)")
    t.equal(paths.way "a/b", { "", "a", "a/b" })
    t.equal(paths.parent "a", "")
    t.equal(paths.parent "", nil)
  end,
}
