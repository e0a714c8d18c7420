local function open(t)
  t.dispatch("board/add", {
    title = "Buy *milk*", labels = "home", due = "2099-12-01", text = "Two.",
  })
  t.dispatch("board/add_items", { card = 1, items = "oat\nsoy" })
  t.dispatch("board/check", { card = 1, item = 2 })
  t.press "x"
end

local expected = [[
# My board

## To do (1 card)

- **Buy \*milk\*** due 2099-12-01 `#home`

  Two.

  - [ ] oat
  - [x] soy

## Doing (0 cards)

## Done (0 cards)
]]

return {
  ["a board is written as Markdown"] = function(t)
    open(t)
    t.press "ctrl+s"
    t.answer("files.make_directory")
    t.answer("files.exists", false)
    local call = t.call "files.write"
    t.equal({ call.arguments.path, call.arguments.data }, { "exports/my-board.md", expected })
    t.answer("files.write")
    t.equal(t.screen().kind, "board")
    t.contains(t.state "board.said", "Wrote exports/my-board.md")
  end,

  ["a file that is there is replaced after a question"] = function(t)
    open(t)
    t.input { name = "a.md" }
    t.press "ctrl+s"
    t.answer("files.make_directory")
    t.answer("files.exists", true)
    t.equal(t.screen().title, "Replace a.md?")
    t.press "y"
    t.answer("files.make_directory")
    t.answer("files.exists", true)
    t.equal(t.call("files.write").arguments.path, "exports/a.md")
    t.answer("files.write")
    t.equal(t.screen().kind, "board")
  end,

  ["a file that can't be written leaves the form as it was"] = function(t)
    open(t)
    t.input { name = "a.md" }
    t.press "ctrl+s"
    t.answer("files.make_directory")
    t.answer("files.exists", false)
    t.fail("files.write", "disk_full", "the disk is full")
    t.equal(t.screen().kind, "export")
    t.contains(table.concat(t.screen().lines, "\n"), "a.md")
  end,
}
