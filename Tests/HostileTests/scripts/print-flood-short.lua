-- expect: survives, in: observer
-- A thousand lines.
for i = 1, 1000 do print(i) end
