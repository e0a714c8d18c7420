-- expect: survives, in: observer
-- A line of a megabyte.
print(("x"):rep(1 << 20))
