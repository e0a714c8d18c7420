-- expect: memory
-- Many packed strings.
return #(("c1000000"):rep(30)):pack(table.unpack((function() local t = {} for i = 1, 30 do t[i] = "" end return t end)()))
