-- expect: timeout
-- Walks the state forever.
while true do for _ in pairs(state) do end end
