-- expect: survives
-- Much garbage is no crime.
for i = 1, 3000 do local s = ("x"):rep(100000) .. i end
