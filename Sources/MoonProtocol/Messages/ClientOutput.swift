/// Where a connection's lines go.
///
/// It keeps what isn't sent yet, in bounds: a client that doesn't read loses its connection.
package protocol ClientOutput: Sendable {
  /// Sends a line, without its end; never waits.
  func send(_ line: [UInt8])
  /// Does the same, and leaves the writing to the connection's own thread.
  ///
  /// It is for lines of which many go out at the same time, such as notifications of a change.
  func post(_ line: [UInt8])
  /// Whether so much waits to be sent that subscriptions must hold back.
  ///
  /// When it no longer does, ``ClientConnection/outputDrained()`` is to be called.
  var isCongested: Bool { get }
  /// Ends the connection once everything was sent.
  func end()
}
