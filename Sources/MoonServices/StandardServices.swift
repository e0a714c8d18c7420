public import Moonwire

extension Service {
  /// All services of this library, for ``HostOptions/services``.
  ///
  /// Each use makes them anew, so that hosts don't share connections.
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
