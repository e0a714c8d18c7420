-- expect: refused
-- No control over the collector.
state.held = not pcall(collectgarbage) and not pcall(collectgarbage, "stop") and not pcall(collectgarbage, "generational")
