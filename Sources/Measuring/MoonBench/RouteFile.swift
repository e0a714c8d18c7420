import Glibc
import MoonRouting
import MoonValues

/// A file of `scripts/peers/routes/generate.py`: patterns, and URLs with their expected matches.
struct RouteFile {
  /// A URL, the pattern that it must match, and the values that the pattern captures.
  struct Visit {
    let url: Text
    /// The number of the pattern; -1 if none may match.
    let route: Int
    /// The captured bytes of the URL, including a wildcard's slashes.
    let parameters: [(name: Text, value: Text)]
  }

  /// The error of a file that doesn't hold routes.
  enum Unreadable: Error {
    case file
    case line(Int)
  }

  private(set) var patterns: [Text] = []
  private(set) var visits: [Visit] = []

  init(path: String) throws {
    guard let file = fopen(path, "r") else { throw Unreadable.file }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    var number = 0
    defer { free(line) }
    while case let count = getline(&line, &capacity, file), count > 0, let start = line {
      number += 1
      let bytes = UnsafeBufferPointer(start: start, count: count)
      let text = String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
      let fields = text.dropLast().split(separator: "\t", omittingEmptySubsequences: false)
      switch fields.first {
      case "P" where fields.count == 3: patterns.append(Self.pattern(fields[2]))
      case "U" where fields.count == 4:
        guard let route = Int(fields[2]) else { throw Unreadable.line(number) }
        visits.append(
          Visit(url: Text(fields[1]), route: route, parameters: Self.parameters(fields[3])))
      default: throw Unreadable.line(number)
      }
    }
  }

  /// Returns the table of the patterns, numbered as in the file.
  func makeTable() throws -> RouteTable {
    var builder = RouteTableBuilder()
    for (index, pattern) in patterns.enumerated() {
      try builder.add(RouteEntry(RoutePattern(parsing: pattern), owner: "bench", id: index))
    }
    return builder.build()
  }

  /// Returns a pattern without the name of its wildcard, which only the file's syntax has.
  private static func pattern(_ text: Substring) -> Text {
    guard let star = text.firstIndex(of: "*") else { return Text(String(text)) }
    return Text(String(text[...star]))
  }

  private static func parameters(_ text: Substring) -> [(name: Text, value: Text)] {
    text.split(separator: "&").map { pair in
      let equals = pair.firstIndex(of: "=") ?? pair.endIndex
      return (name: Text(String(pair[..<equals])), value: Text(String(pair[equals...].dropFirst())))
    }
  }
}
