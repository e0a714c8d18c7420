-- expect: survives, in: connected-props
-- The screen is a copy.
screen.title = "taken over" screen.module = "healthy" screen.props = print
return { n = from.hostile.n }
