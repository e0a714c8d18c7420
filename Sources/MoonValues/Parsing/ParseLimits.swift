/// How much a text may ask of the parser.
public struct ParseLimits: Hashable, Sendable {
  /// How deep lists and maps may be nested; above ``Value/wrappedDepthMax`` it counts as that.
  public var depthMax = Value.depthMax
  /// How many values there may be: a hostile text must not fill the memory with tiny ones.
  public var nodeCountMax = 10_000_000
  /// How many bytes the text may have.
  public var byteCountMax = 256 << 20

  /// The limits for a value that somebody hands over, such as a payload.
  public init() {}

  /// Limits of one's own.
  public init(depthMax: Int, nodeCountMax: Int, byteCountMax: Int) {
    self.depthMax = depthMax
    self.nodeCountMax = nodeCountMax
    self.byteCountMax = byteCountMax
  }

  /// The limits for a state that a host has written, of which none is refused.
  ///
  /// What bounds a state is the quota of each module, so a text of it may have any length that fits
  /// the memory; its length bounds the number of values.
  public static let state = ParseLimits(
    depthMax: Value.stateDepthMax, nodeCountMax: .max, byteCountMax: stateByteCountMax)

  /// The most bytes that a state's text may have: more than memory has.
  public static let stateByteCountMax = 1 << 40
}
