-- expect: refused
-- No addresses.
state.held = not tostring({}):find("0x") and not tostring(print):find("0x") and not pcall(string.format, "%p", {}) and not ("%s"):format(print):find("0x") and not tostring(coroutine.create(print)):find("0x")
