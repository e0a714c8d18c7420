-- expect: refused
-- Borders of tables with holes, which names among the keys would move.
local function length(names)
  local t = {}
  for i = 1, names do t["n" .. i] = true end
  for i = 1, 100 do if i % 7 ~= 0 then t[i] = i end end
  return #t
end
state.held = true
for names = 0, 60 do state.held = state.held and length(names) == 6 end
