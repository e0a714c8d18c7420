public import MoonNavigation
public import MoonSession
public import MoonValues

extension Host {
  /// Returns the state of a session, for another run; nil if there is no such session.
  public func savedState(of id: SessionID) -> SavedState? { session(id).map { SavedState(of: $0) } }

  /// Opens a session with an earlier state as plain data; see ``SavedState/init(_:)``.
  ///
  /// - Throws: ``RestoreError``; no session is open then.
  public func openSession(restoring state: Value) throws(RestoreError) -> SessionID {
    let saved = try SavedState(state)
    try options.check(saved)
    return openSession(restoring: saved)
  }

  /// Returns the slices put aside in a session: those of removed modules and of other versions.
  public func keptSlices(of id: SessionID) -> [KeptSlice] { session(id)?.slices.kept.all ?? [] }

  /// Restores a slice that is put aside, or deletes it.
  ///
  /// - Throws: ``SliceError``; nothing has changed then.
  public func carryOut(_ request: SliceRequest, in id: SessionID) throws(SliceError) {
    guard let session = session(id) else { throw .notRunning(request.module) }
    try request.carryOut(in: session)
    settle()
  }
}

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
