-- expect: error, in: load
-- No Lua at all.
this is no Lua
