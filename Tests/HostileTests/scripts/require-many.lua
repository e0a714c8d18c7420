-- expect: timeout
-- Ever new names.
local i = 0 while true do i = i + 1 pcall(require, "n" .. i) end
