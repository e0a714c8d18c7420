-- expect: timeout, in: observer
-- A loop in an observer: the state is kept.
while true do end
