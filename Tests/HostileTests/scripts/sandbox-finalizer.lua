-- expect: refused
-- No finalizers.
state.held = not pcall(setmetatable, {}, {__gc = function() end}) and not pcall(setmetatable, {}, {__gc = true})
