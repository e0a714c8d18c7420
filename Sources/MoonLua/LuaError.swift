package import MoonValues

/// The error of a call into Lua.
package enum LuaError: Error, Equatable, Sendable {
  /// The script raised an error, or the host refused what it asked for.
  case runtime(LuaReport)
  /// The text isn't Lua.
  ///
  /// `isIncomplete` means that more text could make it valid.
  case syntax(LuaReport, isIncomplete: Bool)
  /// An allocation failed.
  case outOfMemory
  /// The memory quota was exceeded; the machine is dead.
  case memoryExceeded(LuaReport, quotaBytes: Int)
  /// The call exceeded its budget; the machine is dead.
  case timedOut(LuaReport, budgetMilliseconds: UInt32)
  /// The call was interrupted; the machine is dead.
  case interrupted(LuaReport)
  /// The machine was killed by an earlier call.
  case machineIsDead
  /// A call on this machine is under way.
  case machineIsBusy

  /// The report, if the error has one.
  package var report: LuaReport? {
    switch self {
    case .runtime(let report), .syntax(let report, _), .timedOut(let report, _),
      .interrupted(let report), .memoryExceeded(let report, _):
      report
    case .outOfMemory, .machineIsDead, .machineIsBusy: nil
    }
  }

  /// Whether the machine is dead.
  package var isFatal: Bool {
    switch self {
    case .timedOut, .interrupted, .memoryExceeded, .machineIsDead: true
    case .runtime, .syntax, .outOfMemory, .machineIsBusy: false
    }
  }
}

/// The message of an error, and where it was raised.
package struct LuaReport: Equatable, Sendable {
  /// Lua's message, without the place in front.
  package var message: String
  /// Where the error was raised, if Lua code did it.
  package var place: SourcePlace?
  /// The active Lua functions, innermost first.
  package var frames: [LuaFrame]
  /// The table that a task raised, if it is plain data of at most `valueBytesMax`.
  package var value: Value?
  /// Whether `moon.refuse` raised the error; ``value`` then has its `reason` and its `details`.
  package private(set) var isRefusal = false

  /// The maximum size of a raised table that is passed on, in bytes of its encoding.
  ///
  /// The errors of the last tasks are kept.
  static let valueBytesMax = 16 << 10

  package init(message: String, place: SourcePlace? = nil, frames: [LuaFrame] = []) {
    self.message = message
    self.place = place
    self.frames = frames
  }

  /// Takes the value for that of a refusal.
  mutating func noteRefusal() {
    isRefusal = value?["reason"]?.stringValue != nil
    if !isRefusal {
      message = "moon.refuse takes a reason and details of plain data, 16 KB at most"
    }
  }

  /// Parses a message of Lua, `file:line: text`, where a long file name is cut.
  ///
  /// A syntax error has no frame of its own. Its place is read from the text if that names one of
  /// `chunks`.
  init(text: String, frames: [LuaFrame], chunks: [String]) {
    // An error raised by the host's own code is attributed to its caller.
    let own = frames.filter { !$0.isOfHost }
    self.frames = own
    message = text
    place = own.first?.place
    guard let colon = text.firstRange(of: ": ") else { return }
    let head = text[..<colon.lowerBound]
    guard let end = head.lastIndex(of: ":"), let line = Int(head[head.index(after: end)...])
    else { return }
    let file = head[..<end]
    if let innermost = frames.first(where: { frame in
      frame.place.line == line && Self.isName(file, of: frame.place.file)
    }) {
      if !innermost.isOfHost { place = innermost.place }
    } else if let chunk = chunks.first(where: { Self.isName(file, of: $0) }) {
      place = SourcePlace(file: chunk, line: line)
    } else if frames.isEmpty {
      place = SourcePlace(file: String(file), line: line)
    } else {
      return
    }
    // An error that was caught and raised again at the same line has the place once more.
    let mark = text[..<colon.upperBound]
    var rest = text[colon.upperBound...]
    while rest.hasPrefix(mark) { rest = rest.dropFirst(mark.count) }
    message = String(rest)
  }

  /// Whether `name` is Lua's name of `file`.
  ///
  /// Lua cuts long names at the front, maybe within a character.
  private static func isName(_ name: Substring, of file: String) -> Bool {
    if name == file { return true }
    guard name.hasPrefix("...") else { return false }
    return file.hasSuffix(name.dropFirst(3).drop { $0 == "\u{FFFD}" })
  }
}

/// An active Lua function.
package struct LuaFrame: Equatable, Sendable {
  package var place: SourcePlace
  /// The name it was called by; empty if Lua doesn't know.
  package var function: String

  package init(place: SourcePlace, function: String) {
    self.place = place
    self.function = function
  }

  /// Whether it belongs to the library `moonwire` and not to a script.
  var isOfHost: Bool { place.file == "moonwire" || place.file.hasPrefix("moonwire/") }

  /// Parses lines of the form `source\tline\tname`.
  static func parse(_ text: String) -> [LuaFrame] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let number = Int(parts[1]) else { return nil }
      return LuaFrame(
        place: SourcePlace(file: String(parts[0]), line: number), function: String(parts[2]))
    }
  }
}
