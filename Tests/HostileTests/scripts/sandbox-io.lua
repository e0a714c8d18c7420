-- expect: refused
-- No files.
state.held = next(io) == nil and dofile == nil and loadfile == nil
