local function text(t) return table.concat(t.screen().lines, "\n") end

local function columns(t)
  local state, titles = t.state "board", {}
  for number, column in ipairs(state.records.board.records["#" .. state.shown].columns) do
    titles[number] = column.title .. " " .. #column.cards
  end
  return table.concat(titles, ", ")
end

local function kept(t)
  t.equal(t.state "board.records.board.updated" or {}, {})
  t.equal(t.state "board.problem", "")
end

return {
  ["keys do to a column what they do to a card"] = function(t)
    t.press("C", 1)
    t.input { title = "Next" }
    t.press "ctrl+s"
    t.equal(columns(t), "To do 0, Next 0, Doing 0, Done 0")
    t.press("L", 1)
    t.equal(columns(t), "Next 0, To do 0, Doing 0, Done 0")
    t.press("e", 1)
    t.input { title = "Soon" }
    t.press "ctrl+s"
    t.equal(columns(t), "Soon 0, To do 0, Doing 0, Done 0")
    t.press("d", 1)
    t.press "y"
    t.equal(columns(t), "To do 0, Doing 0, Done 0")
    t.refused("board/shift", { column = 1, by = 1 }, "H and L")
    t.refused("board/move", { column = 1, by = -1 }, "the first column")
    t.refused("board/remove_column", { column = 9 }, "no column 9")
    t.refused("board/archive", { column = 1 }, "No card is in To do")
  end,

  ["the cards of a column that goes are archived, and the last column stays"] = function(t)
    t.dispatch("board/add", { title = "a" })
    t.dispatch("board/remove_column", { column = 1 })
    t.equal(columns(t), "Doing 0, Done 0")
    t.dispatch("board/take_back", { card = 1 })
    t.equal(columns(t), "Doing 1, Done 0")
    t.dispatch("board/remove_column", { column = 2 })
    t.refused("board/remove_column", { column = 3 }, "the only column")
  end,

  ["cards are archived and taken back"] = function(t)
    t.dispatch("board/add", { title = "a" })
    t.dispatch("board/add", { title = "b", column = 2 })
    t.press("a", 2)
    t.press("a", 4)
    t.equal(columns(t), "To do 0, Doing 0, Done 0")
    t.press "A"
    t.contains(text(t), "from Doing")
    t.press("r", 1)
    t.equal(columns(t), "To do 0, Doing 1, Done 0")
    t.press("d", 1)
    t.press "y"
    t.contains(text(t), "Nothing is archived")
    t.press "u"
    t.contains(text(t), "from To do")
    t.refused("board/take_back", { card = 2 }, "isn't in the archive")
    t.refused("board/move", { card = 1, by = 1 }, "archived")
  end,

  ["there are several boards, which are searched together"] = function(t)
    t.dispatch("board/add", { title = "Tea", labels = "home" })
    t.press "b"
    t.press "n"
    t.input { name = "Garden", columns = "Spring, Summer" }
    t.press "ctrl+s"
    t.equal({ t.screen().title, columns(t) }, { "Garden", "Spring 0, Summer 0" })
    t.press "s"
    t.input { text = "#home" }
    t.press "ctrl+s"
    t.contains(text(t), "My board › To do")
    t.tap "Tea"
    t.equal({ t.screen().kind, t.screen().title }, { "card", "Tea" })
    t.back()
    t.equal(t.screen().title, "My board")
    t.refused("board/add_board", { name = "a", columns = " , " }, "needs a column")
    t.refused("board/add_board", { name = " ", columns = "a" }, "needs a name")
    t.refused("board/show_board", { board = 9 }, "no board 9")
    t.refused("board/go", { card = 9 }, "no card 9")
  end,

  ["a board is renamed, and deleted after a question"] = function(t)
    t.press "b"
    t.refused("board/remove_board", { board = 1 }, "the only board")
    t.dispatch("board/add_board", { name = "Garden", columns = "a" })
    t.dispatch("board/add", { title = "Tea" })
    t.press "b"
    t.press("e", 2)
    t.input { name = "Park" }
    t.press "ctrl+s"
    t.press("d", 2)
    t.equal(t.screen().title, "Delete Park?")
    t.press "y"
    t.equal(t.state "board.records.card.records", {})
    t.press "u"
    t.back()
    t.equal({ t.screen().title, columns(t) }, { "Park", "a 1" })
  end,

  ["of many columns, five are shown, and one goes on to others"] = function(t)
    for number = 1, 4 do t.dispatch("board/add_column", { title = "Column " .. number }) end
    t.contains(text(t), "Columns 3 to 7 of 7")
    t.refused("board/turn", { by = 1 }, "no columns after")
    t.press "["
    t.press "["
    t.contains(text(t), "Columns 1 to 5 of 7")
    t.refused("board/turn", { by = -1 }, "no columns before")
    t.dispatch("board/add", { title = "a" })
    t.press("7", 2)
    t.contains(text(t), "Columns 3 to 7 of 7")
    t.press "+"
    t.press "+"
    t.ok(not text(t):find("Columns", 1, true))
    for _ = 1, 10 do t.press "-" end
    t.contains(text(t), "of 7")
    t.equal(t.state "board.side_by_side", 1)
  end,

  ["the overview counts columns, labels, items and days"] = function(t)
    t.dispatch("board/add", { title = "a", labels = "home", due = "2099-02-01" })
    t.dispatch("board/add", { title = "b", labels = "home, work", due = "2001-02-01" })
    t.dispatch("board/add_items", { card = 1, items = "one\ntwo" })
    t.press "o"
    local all = text(t)
    for _, part in ipairs { "Cards by column", "#home", "Checklists  0 of 2", "late 2001-02-01" } do
      t.contains(all, part)
    end
  end,

  ["everything is kept, and read by the next run"] = function(t)
    t.dispatch("board/add", { title = "a" })
    t.dispatch("board/add_board", { name = "Garden", columns = "Spring" })
    t.dispatch("board/add", { title = "b" })
    t.dispatch("board/remove_card", { card = 2 })
    kept(t)
    t.dispatch "board/read"
    t.equal({ t.screen().title, columns(t) }, { "Garden", "Spring 0" })
    -- What was done before can be undone.
    t.press "u"
    t.equal(columns(t), "Spring 1")
    t.dispatch "board/undo"
    t.dispatch "board/undo"
    t.equal(columns(t), "To do 1, Doing 0, Done 0")
    kept(t)
    t.dispatch "board/read"
    t.dispatch "board/redo"
    t.equal({ t.screen().title, columns(t) }, { "Garden", "Spring 0" })
  end,

  ["what another window has kept isn't replaced"] = function(t)
    t.dispatch("board/add", { title = "a" })
    local records = t.state "board.records"
    t.dispatch("board/begun", {
      boards = { records.board.records["#1"] }, cards = { records.card.records["#1"] },
      mark = { id = 1, shown = 1, writes = 7 }, columns = "a",
    })
    t.dispatch("board/move", { card = 1, by = 1 })
    t.contains(text(t), "Another window")
    t.equal(columns(t), "To do 1, Doing 0, Done 0")
    t.dispatch("board/move", { card = 1, by = 1 })
    t.equal(columns(t), "To do 0, Doing 1, Done 0")
    kept(t)
  end,

  ["a write of this window whose end it hasn't seen is its own"] = function(t)
    t.dispatch("board/add", { title = "a" })
    local records = t.state "board.records"
    t.dispatch("board/begun", {
      boards = { records.board.records["#1"] }, cards = { records.card.records["#1"] },
      mark = { id = 1, shown = 1, writes = 0 }, window = t.state "board.window", columns = "a",
    })
    t.dispatch("board/move", { card = 1, by = 1 })
    t.equal(columns(t), "To do 0, Doing 1, Done 0")
    kept(t)
    t.dispatch "board/read"
    t.equal(columns(t), "To do 0, Doing 1, Done 0")
  end,

  ["nothing is changed before the boards are read"] = function(t)
    t.dispatch("board/overtaken")
    t.refused("board/add", { title = "a" }, "aren't read yet")
    t.refused("board/undo", nil, "aren't read yet")
    t.press "ctrl+s"
    t.dispatch("board/add", { title = "a" })
  end,
}
