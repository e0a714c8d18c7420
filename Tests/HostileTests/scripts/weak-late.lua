-- expect: refused
-- A mode that a metatable gets after it was set, in every way there is.
local ways = {
  function(m) m.__mode = "v" end, function(m) rawset(m, "__mode", "v") end,
  function(m) m["__mo" .. "de"] = "kv" end,
  function(m) table.move({ "v" }, 1, 1, 1, setmetatable({}, { __newindex = function(_, _, v) m.__mode = v end })) end,
}
local kept = 0
for _, way in ipairs(ways) do
  local m = {}
  local t = setmetatable({}, m)
  way(m)
  for i = 1, 50 do t[i] = {} end
  for i = 1, 300000 do local garbage = { i } end
  for i = 1, 50 do kept = kept + (t[i] and 1 or 0) end
end
state.held = kept == 50 * #ways
