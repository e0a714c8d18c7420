/// Where a connection's lines go.
///
/// It keeps what isn't sent yet, in bounds: a client that doesn't read loses its connection.
package protocol ClientOutput: Sendable {
  /// Sends a line, without its end; never waits.
  func send(_ line: [UInt8])
  /// Whether so much waits to be sent that subscriptions must hold back.
  ///
  /// When it no longer does, ``ClientConnection/outputDrained()`` is to be called.
  var isCongested: Bool { get }
  /// Ends the connection once everything was sent.
  func end()
}
