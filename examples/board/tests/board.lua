local function add(t, title, fields)
  fields = fields or {}
  fields.title = title
  t.dispatch("board/add", fields)
end

-- The titles of the cards, column by column: `a b | c |`.
local function shown(t)
  local state = t.state "board"
  local columns = {}
  for number in ipairs(state.columns) do
    local titles = {}
    for _, card in ipairs(state.cards) do
      if card.column == number then titles[#titles + 1] = card.title end
    end
    columns[number] = table.concat(titles, " ")
  end
  return table.concat(columns, " | ")
end

local function text(t) return table.concat(t.screen().lines, "\n") end

return {
  ["keys move the card that has the focus"] = function(t)
    add(t, "a")
    add(t, "b")
    t.press("L", 1)
    t.equal(shown(t), "b | a | ")
    t.press("L", 2)
    t.equal(shown(t), "b |  | a")
    t.refused("board/move", { id = 1, by = 1 }, "in the last column")
    t.press("H", 2)
    t.equal(shown(t), "b | a | ")
    t.refused("board/move", { id = 2, by = -1 }, "in the first column")
  end,

  ["keys move a card within its column, past those of others"] = function(t)
    for _, title in ipairs { "a", "b", "c" } do add(t, title) end
    t.press("L", 2)
    t.press("J", 1)
    t.equal(shown(t), "c a | b | ")
    t.press("K", 2)
    t.equal(shown(t), "a c | b | ")
    t.refused("board/shift", { id = 1, by = -1 }, "the first of its column")
    t.refused("board/shift", { id = 2, by = 1 }, "the last of its column")
  end,

  ["every change is undone and done again"] = function(t)
    add(t, "a", { labels = " x ,, y", due = "2026-12-01" })
    add(t, "b")
    t.dispatch("board/change", { id = 1, title = "A" })
    t.press("L", 1)
    t.press("d", 1)
    t.equal(shown(t), " | A | ")
    for _, former in ipairs { "b | A | ", "A b |  | ", "a b |  | ", "a |  | ", " |  | " } do
      t.press "u"
      t.equal(shown(t), former)
    end
    t.refused("board/undo", nil, "nothing to undo")
    for _ = 1, 5 do t.press "U" end
    t.equal(shown(t), " | A | ")
    t.refused("board/redo", nil, "nothing to do again")
    t.press "u"
    add(t, "c")
    t.refused("board/redo", nil, "nothing to do again")
  end,

  ["what was undone has its labels and its day again"] = function(t)
    add(t, "a", { labels = " x ,, y", due = "2026-12-01" })
    t.dispatch("board/change", { id = 1, title = "A" })
    t.press "u"
    local card = t.state("board.cards")[1]
    t.equal({ card.title, card.labels, card.due }, { "a", { "x", "y" }, "2026-12-01" })
  end,

  ["a form makes a card, and one without a title is refused"] = function(t)
    t.press "n"
    t.input { title = "Tea" }
    t.press "ctrl+s"
    t.equal({ shown(t), t.screen().kind }, { "Tea |  | ", "board" })
    t.press("e", 1)
    t.input { title = "Green tea" }
    t.press "ctrl+s"
    t.equal({ shown(t), t.screen().kind }, { "Green tea |  | ", "board" })
    t.refused("board/add", { title = " " }, "needs a title")
  end,

  ["Enter shows a card, and e edits it there"] = function(t)
    add(t, "Tea", { text = "with **milk**" })
    t.tap(1)
    t.equal({ t.screen().kind, t.screen().title }, { "card", "Tea" })
    t.contains(text(t), "milk")
    t.press "e"
    t.equal(t.screen().kind, "edit")
  end,

  ["a card that has gone has no screen"] = function(t)
    add(t, "a")
    t.tap(1)
    t.dispatch("board/remove", { id = 1 })
    t.contains(text(t), "gone")
    t.refused("board/remove", { id = 1 }, "no card 1")
    t.refused("board/move", { id = 7, by = 1 }, "no card 7")
  end,

  ["the filter shows only cards with a text, in labels too"] = function(t)
    add(t, "Tea")
    add(t, "Milk", { labels = "Teatime" })
    add(t, "Bread")
    t.dispatch("board/filter", { text = "tea" })
    t.contains(text(t), "To do  2 of 3")
    t.press "F"
    t.contains(text(t), "To do  3")
  end,

  ["the last column is archived, and cards are taken back"] = function(t)
    t.refused("board/archive", nil, "No card is in Done")
    add(t, "a")
    t.dispatch("board/move", { id = 1, by = 2 })
    t.press "a"
    t.equal({ shown(t), #t.state "board.archive" }, { " |  | ", 1 })
    t.press "A"
    t.press("b", 1)
    t.equal({ shown(t), #t.state "board.archive" }, { " |  | a", 0 })
    t.press "u"
    t.equal({ shown(t), #t.state "board.archive" }, { " |  | ", 1 })
  end,

  ["the overview counts columns and labels"] = function(t)
    add(t, "a", { labels = "home" })
    add(t, "b", { labels = "home, work" })
    t.press "o"
    t.contains(text(t), "Cards by column")
    t.contains(text(t), "home")
  end,

  ["a board of an earlier run with more columns fits into those there are"] = function(t)
    add(t, "a")
    t.dispatch("board/begun", {
      columns = { "One" },
      kept = { cards = { { id = 4, column = 3, title = "b", text = "", labels = {} } },
        archive = {}, last_id = 4 },
    })
    t.equal(shown(t), "b")
  end,
}
