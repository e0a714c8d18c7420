-- expect: timeout
-- Weak keys that are reached through one another, in no order: the collector would look through all
-- of them for each. The mode comes too late to have an effect.
local nodes = {}
for i = 1, 60000 do nodes[i] = {} end
for i = #nodes, 2, -1 do
  local j = math.random(i)
  nodes[i], nodes[j] = nodes[j], nodes[i]
end
local mode = {}
weak = setmetatable({}, mode)
mode.__mode = "k"
for i = 1, #nodes - 1 do weak[nodes[i]] = nodes[i + 1] end
first = nodes[1]
nodes = nil
while true do local garbage = {} end
