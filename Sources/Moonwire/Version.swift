/// The version of Moonwire.
public enum Version {
  /// A semantic version: incompatible changes for scripts and embedding programs change the first
  /// number.
  public static let current = "0.1.0"
}
