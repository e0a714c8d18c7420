-- expect: timeout
-- An iterator that never ends.
for _ in function() return 1 end do end
