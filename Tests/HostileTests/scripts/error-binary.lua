-- expect: error
-- An error of bytes that are no text.
error("\xff\0\xfe\n\27[31m")
