/// The state of a feature, which is a value that the module's slice is decoded into.
///
/// The state of a new session is what `init()` makes. A field of the type ``Map`` or ``List`` costs
/// nothing to decode and encode, however large it is.
public protocol FeatureState: Codable, Sendable {
  /// Makes the state of a new session.
  init()
}

/// The state of a feature that has none.
public struct NoState: FeatureState {
  /// Makes it.
  public init() {}
}
