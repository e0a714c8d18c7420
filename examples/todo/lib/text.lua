local text = {}

--- Returns the text without leading and trailing spaces, and with runs of spaces collapsed.
function text.tidy(title)
  return (title:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- Returns a count with its noun: "1 item", "2 items".
function text.count(number, word)
  return number .. " " .. word .. (number == 1 and "" or "s")
end

return text
