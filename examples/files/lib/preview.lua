-- What is in a file or directory, as lines to show, or an image.
local moon = require "moonwire"
local words = require "words"

local preview = {}

local bytes_max = 400000
-- No call reads a part of a file: the beginning of a larger one is cut from all of it, or is what
-- `head` says, if that is granted. What is larger than this would cost too much of the memory.
local whole_max = 7000000
-- More than fits beside the list is of no use there, and costs time whenever it is drawn.
local width_max = 200

-- The longest text of a screen has 64 KB, which is three quarters as much in Base64.
local image_max = 48000
local image_kinds = { png = true, jpg = true, jpeg = true, gif = true, webp = true, bmp = true }

local function cut(line)
  line = line:gsub("\r", ""):gsub("\t", "    ")
  local stop = utf8.len(line) and utf8.offset(line, width_max)
  return stop and line:sub(1, stop - 1) or line
end

local function lines_of(text, count)
  local lines, total = moon.list(), 0
  for line in text:gsub("\n$", ""):gmatch "[^\n]*" do
    total = total + 1
    if total <= count then lines[total] = cut(line) end
  end
  return lines, total
end

local function directory(disk, path, count)
  local lines, entries = moon.list(), disk:list(path)
  for place = 1, math.min(count, #entries) do
    local entry = entries[place]
    local name = utf8.len(entry.name) and entry.name or "(a name that isn't UTF-8)"
    lines[place] = name .. (entry.kind == "directory" and "/" or "")
  end
  return { about = words.entries(#entries), lines = lines }
end

-- What a program says about a file that can't be shown as text.
local function by_program(disk, path, about, program, count)
  local command = {}
  for word in program:gmatch "%S+" do command[#command + 1] = word end
  if not command[1] or not moon.granted("run:" .. command[1]) then
    local hint = command[1] and " --allow run:" .. command[1] .. " tells more." or ""
    return { about = about, lines = moon.list(), note = "This can't be shown as text." .. hint }
  end
  command[#command + 1] = disk:at(path)
  local done, result = pcall(moon.processes.run, command, { timeout = 5, max = bytes_max })
  about = about .. ", by " .. command[1]
  if not done then return { about = about, lines = moon.list(), note = result.reason } end
  return { about = about, lines = (lines_of(result.output, count)) }
end

local function image_of(bytes)
  if bytes:sub(1, 8) ~= "\137PNG\r\n\26\n" then return nil end
  return "data:image/png;base64," .. moon.base64.encode(bytes)
end

-- The image in a file, made smaller if it is another one than a small PNG; nil if that is not
-- granted, or fails: what a program says about the file is shown then.
local function image(disk, path, size)
  local kind = path:lower():match "%.(%w+)$"
  if kind == "png" and size <= image_max then return image_of(disk:bytes(path, image_max)) end
  if not image_kinds[kind] or not moon.granted "run:convert" then return nil end
  local command = {
    "convert", disk:at(path) .. "[0]", "-thumbnail", "256x256>", "-colors", "64", "png8:-",
  }
  local done, result = pcall(moon.processes.run, command, { timeout = 5, max = image_max })
  return done and result.status == 0 and image_of(result.output) or nil
end

-- Bytes up to the end of a line, so that no sign is cut in two, if they are text.
local function text_of(bytes)
  local text = bytes:sub(1, bytes_max):match "^(.*)\n" or ""
  return text ~= "" and not text:find "%z" and utf8.len(text) and text or nil
end

-- The beginning of a large file, if it is text.
local function beginning(disk, path, size)
  if moon.granted "run:head" then
    local command = { "head", "-c", tostring(bytes_max), "--", disk:at(path) }
    local done, result = pcall(moon.processes.run, command, { timeout = 5, max = bytes_max + 1 })
    return done and result.status == 0 and text_of(result.output) or nil
  end
  return size <= whole_max and text_of(disk:bytes(path, whole_max)) or nil
end

local function large(disk, path, size, program, count)
  local about, text = words.size(size), beginning(disk, path, size)
  if text then return { about = about .. ", its beginning", lines = (lines_of(text, count)) } end
  local found = by_program(disk, path, about, program, count)
  if size > whole_max and not moon.granted "run:head" then
    found.note = (found.note and found.note .. " " or "")
      .. "If it is text, --allow run:head shows its beginning."
  end
  return found
end

local function without_image(disk, path, info, program, count)
  local about = words.size(info.size)
  if info.size == 0 then return { about = "empty", lines = moon.list() } end
  if info.size > bytes_max then return large(disk, path, info.size, program, count) end
  local is_text, text = pcall(disk.read, disk, path, bytes_max)
  if not is_text and text.code == "not_text" or is_text and text:find "%z" then
    return by_program(disk, path, about, program, count)
  end
  if not is_text then error(text, 0) end
  local lines, total = lines_of(text, count)
  return { about = about .. ", " .. words.count(total, "line"), lines = lines }
end

local function file(disk, path, info, program, count)
  local shown = image(disk, path, info.size)
  local found = without_image(disk, path, info, program, count)
  found.image = shown
  return found
end

-- `{ path, about, lines, image, note }`, with at most so many lines, or a note why there are none.
function preview.of(disk, path, program, count)
  local done, found = pcall(function()
    local info = disk:info(path)
    if not info then error("it isn't there any more", 0) end
    if info.kind == "directory" then return directory(disk, path, count) end
    if info.kind == "file" then return file(disk, path, info, program, count) end
    return { about = "neither file nor directory", lines = moon.list() }
  end)
  if not done then
    found = { about = "can't be read", lines = moon.list(), note = words.reason(found, "read") }
  end
  found.path = path
  return found
end

return preview
