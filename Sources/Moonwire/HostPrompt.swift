public import MoonActions
public import MoonModules
package import MoonValues

/// What a person types as Lua.
extension Host {
  /// Evaluates Lua text for a person, as an expression or else as statements.
  ///
  /// `state(path)` and `dispatch(type, payload)` are available. Globals keep their values.
  ///
  /// - Throws: ``Fault`` with the registration's name `prompt`.
  public func evaluate(
    _ text: String, in id: SessionID
  ) throws(Fault) -> [EvaluatedValue] {
    guard let session = session(id) else { throw Console.noSession }
    defer { sessions.finishCalls() }
    return try console.evaluate(text, in: session)
  }

  /// Returns the names that evaluated text can use, for completion.
  ///
  /// They are those of libraries, `moon` and assigned globals. Each has the names in it, its usage
  /// such as `moon.sleep(seconds)`, or its Lua type.
  package func evaluationNames(in id: SessionID) -> Map {
    session(id).map(console.names) ?? Map()
  }
}
