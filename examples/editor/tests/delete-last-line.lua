-- Written from a recording: what was dispatched, and all that it changed.
-- `moonwire test` compares it with the modules as they are.
return {
  description = "as recorded in delete-last-line.jsonl",
  state = {
    editor = { at = 0, future = moon.list {}, lines = moon.list {}, past = moon.list {} },
  },
  steps = {
    {
      type = "editor/insert",
      payload = { text = "one" },
      cause = "prompt",
      changes = {
        ["editor.at"] = 1,
        ["editor.lines[1]"] = "one",
        ["editor.past[1]"] = { at = 0, lines = moon.list {} },
      },
      id = 1,
      time = 1795382386.229,
    },
    {
      type = "editor/insert",
      payload = { text = "two" },
      cause = "prompt",
      changes = {
        ["editor.at"] = 2,
        ["editor.lines[2]"] = "two",
        ["editor.past[2]"] = { at = 1, lines = { "one" } },
      },
      id = 2,
      time = 1795382386.23,
    },
    {
      type = "editor/delete",
      cause = "prompt",
      changes = {
        ["editor.at"] = 1,
        ["editor.past[3]"] = { at = 2, lines = { "one", "two" } },
      },
      id = 3,
      removed = { "editor.lines[2]" },
      time = 1795382386.231,
    },
    {
      type = "editor/insert",
      payload = { text = "three" },
      cause = "prompt",
      changes = {
        ["editor.at"] = 2,
        ["editor.lines[2]"] = "three",
        ["editor.past[4]"] = { at = 1, lines = { "one" } },
      },
      id = 4,
      time = 1795382386.232,
    },
  },
}
