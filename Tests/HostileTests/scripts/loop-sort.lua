-- expect: timeout
-- In the comparison of a sort.
table.sort({3, 2, 1}, function() while true do end end)
