-- expect: error
-- More arguments than the stack has room for.
return string.char(table.unpack({}, 1, 2000000))
