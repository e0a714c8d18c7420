/// The limits of the parser.
package struct ParseLimits: Hashable, Sendable {
  /// The maximum nesting of lists and maps, at most ``Value/wrappedDepthMax``.
  package var depthMax = Value.depthMax
  /// The maximum number of values, so that a hostile text can't fill the memory with tiny ones.
  package var nodeCountMax = 10_000_000
  /// The maximum number of bytes of the text.
  package var byteCountMax = 256 << 20

  /// The limits for a value from outside, such as a payload.
  package init() {}

  /// Makes custom limits.
  package init(depthMax: Int, nodeCountMax: Int, byteCountMax: Int) {
    self.depthMax = depthMax
    self.nodeCountMax = nodeCountMax
    self.byteCountMax = byteCountMax
  }

  /// The limits for a state that a host has written, which accept every such state.
  ///
  /// A state is limited by the quota of each module, so its text may have any length that fits into
  /// memory. The length limits the number of values.
  package static let state = ParseLimits(
    depthMax: Value.stateDepthMax, nodeCountMax: .max, byteCountMax: stateByteCountMax)

  /// The maximum number of bytes of a state's text, which is more than fits into memory.
  static let stateByteCountMax = 1 << 40
}
