-- expect: error
-- A C function as the reader.
load(math.random)
