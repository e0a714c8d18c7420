public import Moonwire

extension Service {
  /// All services of this library, for ``HostOptions/services``.
  ///
  /// Each access makes new ones, so hosts don't share connections.
  public static var standard: [Service] {
    [
      .base64,
      .crypto,
      .entities,
      .environment,
      .files,
      .hex,
      .http,
      .json,
      .processes,
      .storage,
      .time,
      .uri,
    ]
  }
}
