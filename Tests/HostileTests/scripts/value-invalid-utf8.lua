-- expect: error
-- Bytes that are no text.
state.t = "\xff\xfe"
