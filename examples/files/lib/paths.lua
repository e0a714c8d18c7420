-- Paths as the app keeps them: relative to the directory it was given, which is the empty path.
local paths = {}

paths.trash = ".trash"

function paths.join(place, name)
  return place == "" and name or place .. "/" .. name
end

function paths.name(path)
  return path:match "[^/]*$"
end

-- The directory that a path is in; nil for the directory that the app was given.
function paths.parent(path)
  if path == "" then return nil end
  return path:match "^(.*)/[^/]*$" or ""
end

-- Whether a path is a directory or anything below it.
function paths.is_within(path, directory)
  return directory == "" or path == directory or path:sub(1, #directory + 1) == directory .. "/"
end

-- All directories on the way to a path and the path itself, from the top.
function paths.way(path)
  local way = { "" }
  for stop in (path .. "/"):gmatch "()/" do
    if stop > 1 then way[#way + 1] = path:sub(1, stop - 1) end
  end
  return way
end

-- `a.tar.gz` is `a` and `.tar.gz`; `.profile` and `Mr. Smith` have no ending.
function paths.split(name)
  local stem, ending = name:match "^(.+)(%.tar%.%w+)$"
  if not stem then stem, ending = name:match "^(.+)(%.%w+)$" end
  return stem or name, ending or ""
end

-- The name with a number, for a second entry beside one of that name.
function paths.numbered(name, number)
  local stem, ending = paths.split(name)
  return stem .. " (" .. number .. ")" .. ending
end

-- What is wrong with a name for a file; nil if nothing is.
function paths.problem(name)
  if name == "" then return "a name can't be empty" end
  if name == "." or name == ".." then return "'" .. name .. "' has a meaning of its own" end
  if name:find "/" then return "a name can't have a '/' in it" end
  if name:find "%c" then return "a name can't have line breaks or tabs in it" end
  if #name > 255 then return "the name is longer than 255 bytes" end
end

return paths
