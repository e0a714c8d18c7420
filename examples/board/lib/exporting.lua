-- Writes the shown board to a file of Markdown.
local moon = require "moonwire"
local kinds = require "kinds"
local markdown = require "markdown"

local not_granted = "Start with --allow read:DIRECTORY --allow write:DIRECTORY"

-- Returns whether the file was written: one that is there is replaced only if it may be.
local function write(directory, path, text, may_replace)
  moon.files.make_directory(directory)
  if moon.files.exists(path) and not may_replace then return false end
  moon.files.write(path, text)
  return true
end

return function(payload, self)
  local directory, name = self.settings.directory, payload.name
  local store = kinds.memory(self.state "board")
  local board = store:get("board", self.state "board.shown")
  local text = markdown(board, function(id) return store:get("card", id) end)
  local path = directory .. "/" .. name
  local has_ended, is_written = pcall(write, directory, path, text, payload.replace)
  if not has_ended then
    local problem = is_written
    moon.refuse(problem.code == "not_granted" and not_granted
      or "Not written: " .. (problem.reason or tostring(problem)))
  end
  if is_written then
    self.dispatch("exported", { path = path })
  else
    self.route("/replace", { name = name })
  end
end
