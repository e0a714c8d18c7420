/// A reader of `text/event-stream`, part by part.
///
/// Source: WHATWG HTML, §9.2.5 and §9.2.6 (parsing and interpreting an event stream).
struct EventParser {
  /// The maximum size of one event, in bytes.
  static let eventBytesMax = 1 << 20

  /// An event.
  struct Event: Equatable, Sendable {
    var type: String
    var data: String
    /// The last id that the server has sent; empty if none.
    var id: String
  }

  /// The id to send when reconnecting.
  private(set) var lastID: String
  /// The time before reconnecting that the server asked for, in milliseconds.
  private(set) var retryMilliseconds: Int?
  /// The number of bytes that were read since the last event.
  private(set) var bytesSinceEvent = 0
  private var line: [UInt8] = []
  private var type = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var nextID: String
  private var isFirstLine = true
  /// Whether the last byte was a carriage return, so a following line feed belongs to it.
  private var hasReturn = false

  init(lastID: String) {
    self.lastID = lastID
    nextID = lastID
  }

  /// Prepares for a new connection; drops an unfinished event.
  mutating func restart() {
    var parser = EventParser(lastID: lastID)
    parser.retryMilliseconds = retryMilliseconds
    self = parser
  }

  /// Reads bytes and returns the events that end in them; nil if one is too large.
  mutating func read(_ bytes: some Sequence<UInt8>) -> [Event]? {
    var events: [Event] = []
    for byte in bytes {
      bytesSinceEvent &+= 1
      defer { hasReturn = byte == UInt8(ascii: "\r") }
      switch byte {
      case UInt8(ascii: "\n") where hasReturn: continue
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        if let event = endLine() {
          events.append(event)
          bytesSinceEvent = 0
        }
      default:
        guard line.count + data.count < Self.eventBytesMax else { return nil }
        line.append(byte)
      }
    }
    return events
  }

  private mutating func endLine() -> Event? {
    defer {
      line.removeAll(keepingCapacity: true)
      isFirstLine = false
    }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    note(String(decoding: line[..<colon], as: UTF8.self), value)
    return nil
  }

  private mutating func note(_ field: String, _ value: ArraySlice<UInt8>) {
    switch field {
    case "event": type = String(decoding: value, as: UTF8.self)
    case "data":
      if hasData { data.append(UInt8(ascii: "\n")) }
      data += value
      hasData = true
    // Ignored if no header could send it back, as the standard ignores one with a null.
    case "id" where !value.contains(where: Self.isControl):
      nextID = String(decoding: value, as: UTF8.self)
    case "retry":
      guard !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }) else { return }
      retryMilliseconds = Int(String(decoding: value, as: UTF8.self)) ?? Int.max
    default: return
    }
  }

  private static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F
  }

  /// Ends an event at an empty line; nil if it has no data.
  private mutating func endEvent() -> Event? {
    lastID = nextID
    defer {
      type = ""
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else { return nil }
    return Event(
      type: type.isEmpty ? "message" : type, data: String(decoding: data, as: UTF8.self),
      id: lastID)
  }
}
