-- expect: refused
-- No files.
state.held = io == nil and dofile == nil and loadfile == nil
