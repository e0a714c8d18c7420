-- expect: memory
-- Globals that stay.
while true do kept = {kept} end
