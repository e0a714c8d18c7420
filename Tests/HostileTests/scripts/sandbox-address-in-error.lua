-- expect: refused
-- No addresses in errors.
state.held = not select(2, pcall(function() local t = {} return t < {} end)):find("0x") and not select(2, pcall(error, {})) ~= nil
