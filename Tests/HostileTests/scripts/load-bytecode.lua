-- expect: refused
-- A compiled chunk.
local dumped = "\27Lua\84\0\x19\x93\r\n\x1a\n" local f, e = load(dumped) state.held = f == nil and e:find("binary") ~= nil
