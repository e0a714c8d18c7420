-- expect: timeout, in: observer
-- Looks at the state for ever.
while true do self.state("") end
