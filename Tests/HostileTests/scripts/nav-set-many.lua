-- expect: error, in: observer
-- Forty thousand screens, each of which would be made.
local s = {} for i = 1, 40000 do s[i] = "/nowhere" end self.dispatch("nav/set_navigation", { screens = s })
