-- expect: timeout, in: observer
-- Looks at the state forever.
while true do self.state("") end
