-- expect: error or memory, in: observer
-- Screens that hold more than the navigation may.
local t = ("p"):rep(1000000) for i = 1, 80 do self.dispatch("nav/push", { screen = { props = { t } } }) end
