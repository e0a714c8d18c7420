public import MoonNavigation
public import MoonSession
import MoonStore
public import MoonValues

extension Host {
  /// Begins a run of the app with a state that an earlier one had, as ``state(of:)`` gave it.
  ///
  /// Every module that is there takes up its slice, with the entries that are new in its `state`;
  /// slices of others are kept in case they come. Screens of the navigation are made again by
  /// their routes. A slice that the state lacks begins as in a new session.
  ///
  /// - Throws: ``RestoreError``; no session was opened then.
  public func openSession(restoring state: Value) throws(RestoreError) -> SessionID {
    guard case .map(let slices) = state else { throw .notAState }
    for (key, slice) in slices {
      guard case .string(let name) = key, ModuleName.canHaveSlice(name) else {
        throw .unknownSlice(key.description)
      }
      if key == NavigationState.key {
        do throws(NavigationValueError) {
          _ = try NavigationTree(slice)
        } catch {
          throw .navigation(error)
        }
      } else if slice.mapValue == nil, slice.listValue == nil {
        throw .notASlice(name.string)
      } else if let refusal = options.sliceRefusal(of: slice, name.string) {
        throw .refusedSlice(name.string, refusal)
      }
    }
    return openSession(slices)
  }
}

/// Why a state can't be taken up.
public enum RestoreError: Error, Sendable, Equatable {
  /// It isn't a map of slices.
  case notAState
  /// A key that no module can have.
  case unknownSlice(String)
  /// A module's slice is neither a list nor a map.
  case notASlice(String)
  /// A module's slice that no reducer of the module could have made.
  case refusedSlice(String, SliceRefusal)
  /// The slice `navigation` is no navigation.
  case navigation(NavigationValueError)
}

extension ModuleName {
  fileprivate static func canHaveSlice(_ name: Text) -> Bool {
    Key.string(name) == NavigationState.key || ModuleName(name.string) != nil
  }
}
