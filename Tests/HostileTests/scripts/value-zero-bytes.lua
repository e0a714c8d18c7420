-- expect: survives
-- Text with zeros.
state.t = {["a\0b"] = "\0\0"} state.t = {}
