-- How numbers, times and errors are said.
local words = {}

local units = { "B", "KB", "MB", "GB", "TB" }

-- 512 B, 1.5 KB, 20 MB: at most three digits, which is as exact as one reads them.
function words.size(bytes)
  local unit, amount = 1, bytes
  while amount >= 999.5 and unit < #units do
    amount, unit = amount / 1000, unit + 1
  end
  local form = unit > 1 and amount < 9.95 and "%.1f %s" or "%.0f %s"
  return form:format(amount, units[unit])
end

-- 2,345,678
function words.number(number)
  local text = tostring(number):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

function words.count(number, one, many)
  return words.number(number) .. " " .. (number == 1 and one or many or one .. "s")
end

function words.entries(number)
  return words.count(number, "entry", "entries")
end

-- The name of one path, or how many there are.
function words.these(list, name_of)
  return #list == 1 and name_of(list[1]) or words.entries(#list)
end

-- A text without the meaning that Markdown gives to its signs.
function words.plain(text)
  return (text:gsub("[\\*_%[%]{}]", "\\%0"):gsub("^(%s*)%-", "%1\\-"))
end

local reasons = {
  not_found = "it isn't there any more",
  exists = "there is something of that name already",
  not_permitted = "the system doesn't permit it",
  denied = "it is denied with --deny",
  disk_full = "the disk is full",
  other_file_system = "it is on another file system; copy it instead",
  not_text = "it isn't text",
}

-- What to tell a person about an error of `moon.files`; `scope` is what the call needs.
function words.reason(problem, scope)
  if type(problem) ~= "table" then return tostring(problem) end
  if problem.code == "not_granted" then
    return "it isn't granted: start with --allow " .. scope .. ":DIRECTORY"
  end
  return reasons[problem.code] or problem.reason
end

return words
