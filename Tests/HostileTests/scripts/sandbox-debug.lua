-- expect: refused
-- Nothing of the debug library but tracebacks.
state.held = next(debug) == "traceback" and next(debug, "traceback") == nil and require "debug" == debug
