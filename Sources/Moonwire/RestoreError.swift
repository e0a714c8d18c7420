public import MoonModules
public import MoonNavigation
import MoonSession

/// The reason that a state can't be restored.
public enum RestoreError: Error, Sendable, Equatable {
  /// The value isn't a map of slices.
  case notAState
  /// The key can't be the name of a module.
  case unknownSlice(String)
  /// The module's slice is neither a list nor a map.
  case notASlice(String)
  /// The module's slice exceeds the limits that apply to its reducers.
  case refusedSlice(String, SliceRefusal)
  /// The slice `navigation` isn't a valid navigation tree.
  case navigation(NavigationValueError)
  /// The header of the state is malformed, at this path.
  case malformedHeader(String)
  /// A later version of the host wrote the state.
  case laterFormat(Int64)
}

extension RestoreError: CustomStringConvertible {
  /// One sentence with the reason.
  public var description: String {
    switch self {
    case .notAState: "it must be a map with an entry for each module"
    case .unknownSlice(let key): "'\(key)' can't be a module's name"
    case .notASlice(let name): "the entry of module \(name) must be a list or a map"
    case .refusedSlice(let name, let refusal): "the entry of module \(name): \(refusal)"
    case .navigation(let error): "the entry 'navigation' is no navigation: \(error)"
    case .malformedHeader(let path): "what it says of itself is wrong at \(path)"
    case .laterFormat(let format):
      "it has format \(format), and this moonwire knows formats up to \(SavedState.format)"
    }
  }
}
