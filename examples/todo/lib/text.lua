local text = {}

--- The text without spaces at its ends, and with one where there were several.
function text.tidy(title)
  return (title:gsub("%s+", " "):gsub("^ ", ""):gsub(" $", ""))
end

--- "1 item", "2 items"
function text.count(number, word)
  return number .. " " .. word .. (number == 1 and "" or "s")
end

return text
