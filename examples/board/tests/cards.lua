local function add(t, title, fields)
  fields = fields or {}
  fields.title = title
  t.dispatch("board/add", fields)
end

local function text(t) return table.concat(t.screen().lines, "\n") end

-- The titles of the shown board's cards, column by column: `a b | c |`.
local function shown(t)
  local state = t.state "board"
  local columns = {}
  for number, column in ipairs(state.records.board.records["#" .. state.shown].columns) do
    local titles = {}
    for _, id in ipairs(column.cards) do
      titles[#titles + 1] = state.records.card.records["#" .. id].title
    end
    columns[number] = table.concat(titles, " ")
  end
  return table.concat(columns, " | ")
end

return {
  ["keys move the card that has the focus to other columns"] = function(t)
    add(t, "a")
    add(t, "b")
    -- Control 1 is the title of the first column.
    t.press("L", 2)
    t.equal(shown(t), "b | a | ")
    t.press(">", 4)
    t.equal(shown(t), "b |  | a")
    t.refused("board/move", { card = 1, by = 1 }, "in the last column")
    t.press("H", 6)
    t.equal(shown(t), "b | a | ")
    t.refused("board/move", { card = 2, by = -1 }, "in the first column")
    t.press("3", 4)
    t.equal(shown(t), "b |  | a")
    t.refused("board/send", { card = 1, to = 3 }, "in Done already")
    t.refused("board/send", { card = 1, to = 9 }, "no column 9")
  end,

  ["a card keeps its height in another column"] = function(t)
    for _, title in ipairs { "a", "b", "c" } do add(t, title) end
    for _, title in ipairs { "x", "y", "z" } do add(t, title, { column = 2 }) end
    t.dispatch("board/move", { card = 2, by = 1 })
    t.equal(shown(t), "a c | x b y z | ")
    t.dispatch("board/move", { card = 2, by = 1 })
    t.equal(shown(t), "a c | x y z | b")
  end,

  ["keys move a card within its column"] = function(t)
    for _, title in ipairs { "a", "b", "c" } do add(t, title) end
    t.press("J", 2)
    t.equal(shown(t), "b a c |  | ")
    t.press("K", 4)
    t.equal(shown(t), "b c a |  | ")
    t.refused("board/shift", { card = 2, by = -1 }, "the first of its column")
    t.refused("board/shift", { card = 1, by = 1 }, "the last of its column")
  end,

  ["a card moves past those that the filter hides"] = function(t)
    for _, title in ipairs { "tea", "milk", "tea2" } do add(t, title) end
    t.dispatch("board/filter", { text = "tea" })
    t.press("J", 2)
    t.equal(shown(t), "milk tea2 tea |  | ")
    t.refused("board/shift", { card = 3, by = -1 }, "the first")
  end,

  ["a form makes a card below the one that has the focus"] = function(t)
    add(t, "a")
    add(t, "b")
    t.press("n", 2)
    t.equal(t.screen().kind, "new")
    t.input { title = "Tea", labels = "#home, urgent ,home", due = "2099-12-01" }
    t.press "ctrl+s"
    t.equal({ shown(t), t.screen().kind }, { "a Tea b |  | ", "board" })
    t.contains(text(t), "2099-12-01  #home")
    local card = t.state "board.records.card.records"["#3"]
    t.equal(card.labels, { "home", "urgent" })
  end,

  ["Enter on the title of a column makes a card at its end"] = function(t)
    t.tap(3)
    t.input { title = "Tea" }
    t.tap "Add"
    t.equal(shown(t), " | Tea | ")
  end,

  ["what isn't a card is refused, and nothing has changed"] = function(t)
    t.refused("board/add", { title = " " }, "needs a title")
    t.refused("board/add", { title = "a", column = 7 }, "no column 7")
    t.refused("board/add", { title = "a", due = "tomorrow" }, "isn't a day")
    t.refused("board/add", { title = "a", due = "2099-13-01" }, "isn't a day")
    t.refused("board/change", { card = 7, title = "a" }, "no card 7")
    t.refused("board/move", { by = 1 }, "Choose a card or a column")
    t.equal({ shown(t), t.state "board.step_last" }, { " |  | ", 0 })
  end,

  ["a card is edited on its own screen"] = function(t)
    add(t, "Tea", { text = "with **milk**" })
    t.tap(2)
    t.equal({ t.screen().kind, t.screen().title }, { "card", "Tea" })
    t.contains(text(t), "milk")
    t.press("e", 1)
    t.input { title = "Green tea" }
    t.press "ctrl+s"
    t.equal({ t.screen().kind, t.screen().title }, { "card", "Green tea" })
    t.press("L", 1)
    t.equal(shown(t), " | Green tea | ")
  end,

  ["a card is deleted after a question"] = function(t)
    add(t, "a")
    t.press("d", 2)
    t.equal({ t.screen().kind, t.screen().title }, { "question", "Delete a?" })
    t.press "n"
    t.equal({ shown(t), t.screen().kind }, { "a |  | ", "board" })
    t.press("d", 2)
    t.press "y"
    t.equal({ shown(t), t.screen().kind }, { " |  | ", "board" })
    t.refused("board/remove_card", { card = 1 }, "no card 1")
  end,

  ["the screen of a card that is deleted on it is left"] = function(t)
    add(t, "a")
    t.tap(2)
    t.press("d", 1)
    t.press "y"
    t.equal(t.screen().kind, "board")
    t.press "u"
    t.equal(shown(t), "a |  | ")
  end,

  ["what was typed isn't lost without a question"] = function(t)
    t.press("n", 1)
    t.input { title = "Tea" }
    t.back()
    t.equal(t.screen().title, "Leave without saving?")
    t.press "n"
    t.equal(t.screen().kind, "new")
    t.back()
    t.press "y"
    t.equal({ t.screen().kind, shown(t) }, { "board", " |  | " })
    t.press("n", 1)
    t.back()
    t.equal(t.screen().kind, "board")
  end,

  ["items are made, ticked off, moved, changed and deleted by keys"] = function(t)
    add(t, "a")
    t.tap(2)
    t.press("i", 1)
    t.input { items = "one\n\n two\nthree" }
    t.press "ctrl+s"
    t.contains(text(t), "Checklist  0 of 3")
    t.tap(2)
    t.contains(text(t), "[x] two")
    t.press("J", 1)
    t.press("e", 2)
    t.input { text = "first" }
    t.press "ctrl+s"
    t.press("d", 3)
    t.press "y"
    local names = {}
    for place, item in ipairs(t.state "board.records.card.records"["#1"].checklist) do
      names[place] = item.text
    end
    t.equal(names, { "two", "first" })
    t.refused("board/check", { card = 1, item = 9 }, "no item 9")
    t.refused("board/add_items", { card = 1, items = " \n" }, "Write an item")
    t.refused("board/shift", { card = 1, item = 2, by = -1 }, "the first item")
  end,

  ["a copy has all of the card"] = function(t)
    add(t, "a", { labels = "home", text = "b" })
    t.press("y", 2)
    t.equal(shown(t), "a a |  | ")
    local cards = t.state "board.records.card.records"
    t.equal({ cards["#2"].labels, cards["#2"].text }, { { "home" }, "b" })
  end,

  ["the filter shows cards with all words, and labels by their beginning"] = function(t)
    add(t, "Tea")
    add(t, "Milk", { labels = "teatime" })
    add(t, "Bread", { text = "for tea" })
    t.press "f"
    t.input { text = "TEA" }
    t.press "ctrl+s"
    t.contains(text(t), "1 To do  3")
    t.dispatch("board/filter", { text = "#tea" })
    t.contains(text(t), "1 of 3")
    t.dispatch("board/filter", { text = "for bread" })
    t.contains(text(t), "1 of 3")
    t.press "F"
    t.contains(text(t), "1 To do  3")
  end,
}
