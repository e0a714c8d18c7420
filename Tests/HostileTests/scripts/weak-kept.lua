-- expect: refused
-- Weak tables: what a collection leaves in them differs from run to run.
local kept = 0
for _, mode in ipairs { "k", "v", "kv" } do
  local t = setmetatable({}, { __mode = mode })
  for i = 1, 50 do t[i] = {} end
  for i = 1, 300000 do local garbage = { i } end
  for i = 1, 50 do kept = kept + (t[i] and 1 or 0) end
end
state.held = kept == 150
