package import MoonValues

/// How a call into Lua failed.
package enum LuaError: Error, Equatable, Sendable {
  /// The script raised, or did what the border refuses.
  case runtime(LuaReport)
  /// The text isn't Lua. `isIncomplete`: more text might make it so.
  case syntax(LuaReport, isIncomplete: Bool)
  /// An allocation failed.
  case outOfMemory
  /// More memory was in use than the machine may have; the machine is dead.
  case memoryExceeded(LuaReport, quotaBytes: Int)
  /// The call ran longer than its budget; the machine is dead.
  case timedOut(LuaReport, budgetMilliseconds: UInt32)
  /// Somebody stopped the call; the machine is dead.
  case interrupted(LuaReport)
  /// The machine was killed by an earlier call.
  case machineIsDead
  /// A call on this machine is under way.
  case machineIsBusy

  /// What the error tells of itself, as far as it does.
  package var report: LuaReport? {
    switch self {
    case .runtime(let report), .syntax(let report, _), .timedOut(let report, _),
      .interrupted(let report), .memoryExceeded(let report, _):
      report
    case .outOfMemory, .machineIsDead, .machineIsBusy: nil
    }
  }

  /// Whether the machine can't be used any more.
  package var isFatal: Bool {
    switch self {
    case .timedOut, .interrupted, .memoryExceeded, .machineIsDead: true
    case .runtime, .syntax, .outOfMemory, .machineIsBusy: false
    }
  }
}

/// An error's text and where it happened.
package struct LuaReport: Equatable, Sendable {
  /// What Lua said, without the place in front.
  package var message: String
  /// Where the error was raised, if Lua code did it.
  package var place: SourcePlace?
  /// The Lua functions that were active, innermost first.
  package var frames: [LuaFrame]

  package init(message: String, place: SourcePlace? = nil, frames: [LuaFrame] = []) {
    self.message = message
    self.place = place
    self.frames = frames
  }

  /// Takes apart what Lua reports: `file:line: text`, where a long file name is cut.
  ///
  /// A syntax error has no frame of its own; its place is read from the text, if that names one of
  /// `chunks`.
  init(text: String, frames: [LuaFrame], chunks: [String]) {
    // What the host's own code is called from matters, not where it complains.
    let own = frames.filter { !$0.isOfHost }
    self.frames = own
    message = text
    place = own.first?.place
    guard let colon = text.firstRange(of: ": ") else { return }
    let head = text[..<colon.lowerBound]
    guard let mark = head.lastIndex(of: ":"), let line = Int(head[head.index(after: mark)...])
    else { return }
    let file = head[..<mark]
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
    message = String(text[colon.upperBound...])
  }

  /// Whether Lua calls `file` so: of a long name it keeps the end, maybe from within a character.
  private static func isName(_ name: Substring, of file: String) -> Bool {
    if name == file { return true }
    guard name.hasPrefix("...") else { return false }
    return file.hasSuffix(name.dropFirst(3).drop { $0 == "\u{FFFD}" })
  }
}

/// One active Lua function.
package struct LuaFrame: Equatable, Sendable {
  package var place: SourcePlace
  /// What it was called as; empty if Lua doesn't know.
  package var function: String

  package init(place: SourcePlace, function: String) {
    self.place = place
    self.function = function
  }

  /// Whether it is a function of what `require "moonwire"` answers, which no script is.
  var isOfHost: Bool { place.file == "moonwire" || place.file.hasPrefix("moonwire/") }

  /// Reads the lines `source\tline\tname` of the shim.
  static func parse(_ text: String) -> [LuaFrame] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let number = Int(parts[1]) else { return nil }
      return LuaFrame(
        place: SourcePlace(file: String(parts[0]), line: number), function: String(parts[2]))
    }
  }
}
