-- expect: timeout, in: observer
-- A C function as an iterator that never ends.
for _ in pcall, error do end
