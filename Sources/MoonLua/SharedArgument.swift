import MoonValues

/// The value that several calls get one after another, with its bytes.
///
/// All that take part in a routing get its route, whose encoding takes as long as a short call.
struct SharedArgument: ~Copyable {
  /// The maximum number of bytes that are kept from one call to the next.
  private static let keptMax = 4096

  private var value = Value.null
  private var bytes: WireWriter

  /// `owner` is the machine that its memory counts for.
  init(owner: OpaquePointer) { bytes = WireWriter(owner: owner) }

  /// Writes a value to the arguments of a call, encoded unless it is the one before.
  mutating func write(_ value: Value, to arguments: inout WireWriter) {
    guard value.isContainer else { return arguments.write(value) }
    if value.isIdentical(to: self.value) { return arguments.append(bytes) }
    let start = arguments.count
    arguments.writeShared()
    arguments.write(value)
    self.value = .null
    bytes.clear()
    guard arguments.count - start <= Self.keptMax else { return }
    bytes.append(arguments, from: start)
    if !bytes.hasFailed { self.value = value }
  }
}
