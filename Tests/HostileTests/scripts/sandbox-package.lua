-- expect: refused
-- Nothing of the package library that loads.
state.held = package.loadlib == nil and package.searchers == nil and next(package.loaded) == nil
  and next(package.preload) == nil and not pcall(require, "_G")
