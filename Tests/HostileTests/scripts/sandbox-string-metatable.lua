-- expect: refused
-- The metatable of strings.
state.held = getmetatable("") == false and not pcall(setmetatable, "", {})
