-- expect: timeout
-- Walks the state for ever.
while true do for _ in pairs(state) do end end
