-- The files below the directory of the settings, by relative paths. All calls wait.
local moon = require "moonwire"
local paths = require "paths"
local words = require "words"

local disk = {}
disk.__index = disk

-- What one call may pass on is an eighth of the module's memory; a larger file needs `cp`.
local bytes_max = 7000000

function disk.of(self)
  local root = self.settings.directory
  return setmetatable({ root = #root > 1 and root:gsub("/+$", "") or root }, disk)
end

function disk:at(path)
  return path == "" and self.root or self.root .. "/" .. path
end

function disk:list(path) return moon.files.list(self:at(path)) end

function disk:info(path) return moon.files.info(self:at(path)) end

-- The text of a file of at most so many bytes.
function disk:read(path, max) return moon.files.read(self:at(path), { max = max }) end

function disk:bytes(path, max)
  return moon.files.read(self:at(path), { as = "bytes", max = max })
end

function disk:write(path, data) moon.files.write(self:at(path), data) end

function disk:make_directory(path) moon.files.make_directory(self:at(path)) end

function disk:remove_all(path) moon.files.remove(self:at(path), { recursive = true }) end

-- A path in a directory that nothing has yet: that name, or the name with a number.
function disk:free(place, name)
  local path, number = paths.join(place, name), 1
  while moon.files.exists(self:at(path)) do
    number = number + 1
    path = paths.join(place, paths.numbered(name, number))
  end
  return path
end

-- Something in the trash is `.trash/7/NAME`, and `.trash/7.txt` says where it was.
local function case_of(path)
  return path:match "^%.trash/%d+"
end

-- Never replaces anything. What goes into the trash leaves a note there, which goes with it.
function disk:move(from, to)
  local case = case_of(to)
  if case then
    self:make_directory(case)
    self:write(case .. ".txt", from)
  end
  moon.files.rename(self:at(from), self:at(to))
  case = case_of(from)
  if case then
    -- Its place in the trash is of no more use; that it stays there does no harm.
    pcall(moon.files.remove, self:at(case))
    pcall(moon.files.remove, self:at(case .. ".txt"))
  end
end

function disk:copy_with_files(from, to)
  local info = self:info(from)
  if not info then error("it isn't there any more", 0) end
  if info.kind == "directory" then
    self:make_directory(to)
    for _, entry in ipairs(self:list(from)) do
      if entry.kind == "link" or entry.kind == "other" then
        error(entry.name .. " is neither file nor directory: --allow run:cp copies it, too", 0)
      end
      self:copy_with_files(paths.join(from, entry.name), paths.join(to, entry.name))
    end
  elseif info.kind == "file" then
    if info.size > bytes_max then
      error("larger than " .. words.size(bytes_max) .. ": --allow run:cp copies it, too", 0)
    end
    self:write(to, moon.files.read(self:at(from), { as = "bytes" }))
  else
    error("it is neither file nor directory", 0)
  end
end

-- `cp` keeps times, permissions and links; without it, contents alone are copied.
function disk:copy(from, to)
  if not moon.granted "run:cp" then return self:copy_with_files(from, to) end
  local command = { "cp", "-a", "-n", "-T", "--", self:at(from), self:at(to) }
  local result = moon.processes.run(command)
  if result.status ~= 0 then error(result.errors:gsub("%s+$", ""), 0) end
end

return disk
