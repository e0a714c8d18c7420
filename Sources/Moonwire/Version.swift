/// The version of Moonwire.
public enum Version {
  /// Semantic: what scripts and embedding programs rely on changes with the first number only.
  public static let current = "0.1.0"
}
