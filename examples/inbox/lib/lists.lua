-- Reads and writes files of OPML, if a directory is granted.
local moon = require "moonwire"
local news = require "news"
local opml = require "opml"

local lists = {}

local reasons = {
  not_found = "there is no such file",
  not_granted = "run with --allow read:lists --allow write:lists, and name a file there",
}

-- Says what went wrong with a file.
local function trying(f)
  return function(payload, self)
    local done, problem = pcall(f, payload, self)
    if not done then
      local reason = reasons[problem.code] or tostring(problem)
      self.dispatch("failed", { text = "It didn't work: " .. reason })
    end
  end
end

lists.import = trying(function(payload, self)
  local feeds = opml.read(moon.files.read(payload.path))
  if not feeds then error("this file isn't OPML", 0) end
  local count = 0
  for _, feed in ipairs(feeds) do
    if self.dispatch_and_wait("add", feed).status == "done" then count = count + 1 end
  end
  local rest = count < #feeds and ": the others are there already, or have no web address" or ""
  self.dispatch("ended", { text = ("Imported %d of %d feeds"):format(count, #feeds) .. rest })
end)

lists.export = trying(function(payload, self)
  if not payload.replace and moon.files.exists(payload.path) then
    return self.route("/overwrite", { path = payload.path })
  end
  local directory = payload.path:match "^(.+)/[^/]*$"
  if directory then moon.files.make_directory(directory) end
  local feeds = news.sorted(self.state "inbox.feeds")
  local count = #feeds
  moon.files.write(payload.path, opml.write(feeds))
  self.dispatch("ended", { text = ("Exported to %s: %d"):format(payload.path, count) })
end)

return lists
