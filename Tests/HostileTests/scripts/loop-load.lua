-- expect: timeout
-- Loaded text that loops.
load("while true do end")()
