-- expect: timeout
-- Until never.
repeat until false
