local function titles(t)
  local all = {}
  for _, card in pairs(t.state "board.records.card.records") do all[#all + 1] = card.title end
  table.sort(all)
  return table.concat(all, " ")
end

return {
  ["every change is undone and done again"] = function(t)
    local changes = {
      { "add", { title = "a", labels = "x, y", due = "2099-12-01" } },
      { "change", { card = 1, title = "b" } },
      { "add_items", { card = 1, items = "one\ntwo" } },
      { "check", { card = 1, item = 1 } },
      { "change_item", { card = 1, item = 1, text = "first" } },
      { "shift", { card = 1, item = 1, by = 1 } },
      { "remove_item", { card = 1, item = 2 } },
      { "copy", { card = 1 } },
      { "shift", { card = 1, by = 1 } },
      { "move", { card = 1, by = 1 } },
      { "send", { card = 1, to = 3 } },
      { "archive", { card = 1 } },
      { "take_back", { card = 1 } },
      { "add_column", { title = "Next", column = 1 } },
      { "rename_column", { column = 4, title = "Soon" } },
      { "move", { column = 4, by = 1 } },
      { "archive", { column = 3 } },
      { "remove_column", { column = 3 } },
      { "rename_board", { board = 1, name = "Home" } },
      { "add_board", { name = "Garden", columns = "Spring" } },
      { "remove_board", { board = 1 } },
    }
    local function records(part) return t.state("board.records." .. part .. ".records") or {} end
    local function snapshot() return { board = records "board", card = records "card" } end
    local before = { snapshot() }
    for place, change in ipairs(changes) do
      t.dispatch("board/" .. change[1], change[2])
      before[place + 1] = snapshot()
    end
    for place = #changes, 1, -1 do
      t.dispatch "board/undo"
      t.equal(snapshot(), before[place], changes[place][1])
    end
    t.refused("board/undo", nil, "nothing to undo")
    for place = 1, #changes do
      t.dispatch "board/redo"
      t.equal(snapshot(), before[place + 1], changes[place][1])
    end
    t.refused("board/redo", nil, "nothing to do again")
  end,

  ["a change ends what could be done again"] = function(t)
    t.dispatch("board/add", { title = "a" })
    t.dispatch("board/add", { title = "b" })
    t.press "u"
    t.press "u"
    t.press "U"
    t.equal(titles(t), "a")
    t.dispatch("board/add", { title = "c" })
    t.refused("board/redo", nil, "nothing to do again")
    t.equal(titles(t), "a c")
  end,

  ["the last hundred changes can be undone"] = function(t)
    for number = 1, 103 do t.dispatch("board/add", { title = tostring(number) }) end
    for _ = 1, 100 do t.dispatch "board/undo" end
    t.refused("board/undo", nil, "nothing to undo")
    t.equal(titles(t), "1 2 3")
  end,
}
