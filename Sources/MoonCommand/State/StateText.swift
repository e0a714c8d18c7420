import MoonPrompt
import MoonTerminal
import Moonwire

/// The written form of a state: canonical JSON on one line, slice by slice.
struct StateText {
  /// The destination of the JSON.
  enum Destination {
    /// A file that `--restore` reads.
    case file
    /// A line of standard output or of a pipe, without characters that could control a terminal.
    case line
    /// A line for programs, as ``JSONRecord`` makes them.
    case record
  }

  /// A slice that is omitted.
  struct Omission: Equatable, Sendable {
    let slice: String
    /// The maximum length of its text in bytes.
    let byteCountMax: Int
  }

  private let slices: Map
  private let destination: Destination
  private let limits: ParseLimits

  /// Prepares a state, which is a map of slices.
  init(_ state: Value, in destination: Destination, limits: ParseLimits = ParseLimits()) {
    slices = state.mapValue ?? Map()
    self.destination = destination
    self.limits = limits
  }

  /// Writes the line, with a newline at its end, holding the text of one slice at a time.
  ///
  /// - Returns: The slices omitted because they could not be read back.
  /// - Throws: ``OutputError``
  /// - Complexity: O(values in the state), counting shared ones each time.
  func write(to output: Output) throws(OutputError) -> [Omission] {
    var omissions: [Omission] = []
    if case .record = destination {
      try output.write("{\"kind\":\"state\",\"path\":\"\",\"v\":\(JSONRecord.version),\"value\":")
    }
    try output.write("{")
    var separator = ""
    for (key, value) in slices {
      if let entry = entry(key, value) {
        try output.write(separator + entry)
        separator = ","
      } else {
        omissions.append(
          Omission(slice: Self.name(of: key), byteCountMax: limits.byteCountMax))
      }
    }
    if case .record = destination { try output.write("}") }
    try output.write("}\n")
    return omissions
  }

  /// Returns a slice with its key; nil if it couldn't be read back.
  private func entry(_ key: Key, _ value: Value) -> String? {
    var measure = Measure(nodesLeft: limits.nodeCountMax, bytesLeft: limits.byteCountMax)
    guard measure.holds(value) else { return nil }
    let map = Value.map(Map([(key, value)])).canonicalText
    guard map.utf8.count <= limits.byteCountMax else { return nil }
    return shown(String(map.dropFirst().dropLast()))
  }

  private func shown(_ text: String) -> String {
    if case .file = destination { text } else { JSONRecord.escaped(text) }
  }

  private static func name(of key: Key) -> String {
    if case .string(let name) = key { name.string } else { key.description }
  }

  /// The minimum length of a slice's text.
  ///
  /// Shared values count each time, so the text of a slice that is small in memory may be larger
  /// than any memory. The computation stops at the limit.
  private struct Measure {
    var nodesLeft: Int
    var bytesLeft: Int

    mutating func holds(_ value: Value) -> Bool {
      nodesLeft -= 1
      switch value {
      case .null, .bool, .int, .double: bytesLeft -= 1
      case .string(let text): bytesLeft -= text.utf8Count + 2
      case .list(let list):
        bytesLeft -= list.count + 1
        guard nodesLeft >= 0, bytesLeft >= 0 else { return false }
        for child in list where !holds(child) { return false }
      case .map(let map):
        bytesLeft -= map.count + 1
        guard nodesLeft >= 0, bytesLeft >= 0 else { return false }
        for (key, child) in map {
          if case .string(let text) = key { bytesLeft -= text.utf8Count + 3 }
          guard holds(child) else { return false }
        }
      }
      return nodesLeft >= 0 && bytesLeft >= 0
    }
  }
}
