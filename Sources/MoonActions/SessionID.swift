/// The identity of a session within its host.
public struct SessionID: Hashable, Sendable, CustomStringConvertible {
  package let number: Int

  package init(number: Int) { self.number = number }

  /// The word `session` and the number.
  public var description: String { "session \(number)" }
}
