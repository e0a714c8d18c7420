-- Keeps the board until the next run, if the storage is granted.
local moon = require "moonwire"

local function columns(text)
  local titles = moon.list()
  for title in text:gmatch "[^,]+" do
    title = title:match "^%s*(.-)%s*$"
    if title ~= "" then titles[#titles + 1] = title end
  end
  return #titles > 0 and titles or moon.list { "Cards" }
end

local effects = {}

function effects.read(_, self)
  self.dispatch("begun", {
    columns = columns(self.settings.columns),
    kept = moon.granted "storage" and moon.storage.get "board" or nil,
  })
end

-- The latest state is what counts: a write that still waits is dropped.
effects.keep = {
  policy = "latest",
  run = function(_, self)
    if not moon.granted "storage" then return end
    local board = self.state "board"
    moon.storage.set("board", {
      cards = board.cards, archive = board.archive, last_id = board.last_id,
    })
  end,
}

return {
  effects = effects,
  observe = {
    paths = { cards = "board.cards", archive = "board.archive" },
    run = function(_, _, self) self.dispatch "keep" end,
  },
}
