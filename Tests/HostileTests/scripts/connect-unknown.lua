-- expect: survives, in: connected-props
-- A module that isn't there has nothing to give.
assert(from.gone == nil and next({ n = from.hostile.n }))
return { n = from.hostile.n }
