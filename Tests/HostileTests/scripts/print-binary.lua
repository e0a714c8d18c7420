-- expect: survives, in: observer
-- Bytes that are no text.
print("\xff\0\27[2J")
