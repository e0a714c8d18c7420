-- expect: timeout
-- A loop without a loop.
::again:: goto again
