-- A library: modules share its code with `require "text"`.
local text = {}

-- Returns a text without the spaces around it.
function text.trimmed(s)
  return s:match "^%s*(.-)%s*$"
end

return text
