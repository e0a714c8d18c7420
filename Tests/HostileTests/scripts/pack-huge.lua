-- expect: memory
-- A packed string of two gigabytes.
return #("c2000000000"):pack("a")
