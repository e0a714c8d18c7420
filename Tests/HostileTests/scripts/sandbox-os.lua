-- expect: refused
-- Of os only the clocks.
state.held = (function() for k in pairs(os) do if not ("clock date difftime time"):find(k, 1, true) then return false end end return true end)()
