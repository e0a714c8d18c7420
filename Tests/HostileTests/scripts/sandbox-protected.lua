-- expect: refused
-- A protected metatable stays.
state.held = not pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}) and getmetatable(setmetatable({}, {__metatable = 1})) == 1
