-- expect: refused
-- The functions of the host are hidden.
state.held = native == nil and require("moonwire").call == nil and require("moonwire").native == nil
