public import Moonwire

extension Service {
  /// All services of this library, for ``HostOptions/services``.
  public static let standard: [Service] = [
    .base64,
    .files,
    .hex,
    .json,
    .processes,
  ]
}
