import MoonActions
import MoonModules
import MoonSession
import MoonValues

/// What the registrations of all modules take.
struct RegisteredNames {
  /// Returns whether a route takes a URL.
  var takes: (Text) -> Bool = { _ in false }
  /// Returns whether a module knows a type of action.
  var knows: (Text) -> Bool = { _ in true }
  /// Returns whether any registration listens to a type of action.
  var hears: (Text) -> Bool = { _ in true }
  /// Returns the known type with a similar spelling.
  var nearestType: (String) -> String? = { _ in nil }

  init() {}

  init(_ set: ModuleSet, _ suggestions: Suggestions) {
    takes = { set.registry.router.firstRoute(taking: $0) != nil }
    knows = { set.knows($0) }
    hears = { set.hears($0) }
    nearestType = { type in suggestions.search { set.registry.nearestType(to: type) } }
  }
}
