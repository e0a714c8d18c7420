import MoonValues

/// The value that several calls get one after another, with its bytes.
///
/// All that take part in a routing get its route, whose encoding takes as long as a short call.
struct SharedArgument: ~Copyable {
  /// The maximum number of bytes that are kept from one call to the next.
  private static let keptMax = 4096

  private var value = Value.null
  private var bytes: WireWriter
  /// The number of the value; the machine has the recipe of the last one.
  private var number: UInt32 = 0

  /// `owner` is the machine that its memory counts for.
  init(owner: OpaquePointer) { bytes = WireWriter(owner: owner) }

  /// Writes a value to the arguments of a call, encoded unless it is the one before.
  mutating func write(_ value: Value, to arguments: inout WireWriter) {
    guard value.isContainer else { return arguments.write(value) }
    if value.isIdentical(to: self.value) {
      return arguments.writeShared(bytes, number: number)
    }
    bytes.clear()
    bytes.write(value)
    self.value = .null
    if bytes.hasFailed { return arguments.write(value) }
    // 0 is the number of no value.
    number = number == .max ? 1 : number + 1
    arguments.writeShared(bytes, number: number)
    if bytes.count <= Self.keptMax { self.value = value }
  }
}
