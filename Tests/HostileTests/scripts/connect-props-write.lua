-- expect: error, in: connected-props
-- What it gets is a view of others' state.
from.hostile.n = 5
return {}
