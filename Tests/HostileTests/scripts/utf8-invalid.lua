-- expect: error
-- Bytes that are no characters.
for _ in utf8.codes("\xff\xfe") do end
