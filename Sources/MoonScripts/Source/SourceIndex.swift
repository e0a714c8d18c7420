import MoonLua

/// An index of the lines of a file that assign names or contain quoted texts.
///
/// A file may have a hundred thousand routes on as many lines. Searching the whole file for each
/// would take hours, and no budget limits the host's own work.
final class SourceIndex {
  private typealias Words = [ArraySlice<UInt8>: [Int]]

  private let source: [UInt8]
  private lazy var lines = source.split(
    separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  private lazy var assigned = Self.words(in: lines, Self.assigned)
  private lazy var doubleQuoted = Self.words(in: lines) { Self.between(UInt8(ascii: "\""), $0) }
  private lazy var singleQuoted = Self.words(in: lines) { Self.between(UInt8(ascii: "'"), $0) }

  init(_ source: [UInt8]) {
    self.source = source
  }

  /// Returns the first line, from 0, at or after `start` that has `name =`, `["name"] =` or
  /// `['name'] =`.
  ///
  /// - Complexity: O(log n) after the first call.
  func line(assigning name: some Sequence<UInt8>, from start: Int) -> Int? {
    assigned[Array(name)[...]].flatMap { Self.first(in: $0, from: start) }
  }

  /// Returns the first line, from 0, at or after `start` that has a text in quotes.
  ///
  /// - Complexity: O(log n) after the first call.
  func line(quoting text: some Sequence<UInt8>, from start: Int = 0) -> Int? {
    let text = Array(text)[...]
    return (doubleQuoted[text] ?? singleQuoted[text]).flatMap { Self.first(in: $0, from: start) }
  }

  /// Returns the first number in a sorted array that isn't below `start`.
  private static func first(in places: [Int], from start: Int) -> Int? {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < start { low = middle + 1 } else { high = middle }
    }
    return low < places.count ? places[low] : nil
  }

  /// Returns the words of all lines, each with its line numbers in order.
  private static func words(
    in lines: [ArraySlice<UInt8>], _ words: (ArraySlice<UInt8>) -> [ArraySlice<UInt8>]
  ) -> Words {
    var found: Words = [:]
    for (number, line) in lines.enumerated() {
      for word in words(line) where found[word]?.last != number {
        found[word, default: []].append(number)
      }
    }
    return found
  }

  /// Returns the texts between each quote and the next.
  private static func between(_ quote: UInt8, _ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let quotes = line.indices.filter { line[$0] == quote }
    return zip(quotes, quotes.dropFirst()).map { line[$0 + 1..<$1] }
  }

  /// Returns the names that a line assigns to.
  private static func assigned(in line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let sign = UInt8(ascii: "=")
    var names: [ArraySlice<UInt8>] = []
    var last: ArraySlice<UInt8>.Index?
    for index in line.indices where line[index] == sign {
      let isComparison = line[(index + 1)...].first == sign || last == index - 1
      last = index
      if !isComparison, let name = Self.name(endingIn: line[..<index]) { names.append(name) }
    }
    return names
  }

  /// Returns the name, quoted or not, at the end of a text.
  private static func name(endingIn text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var text = text
    while let byte = text.last, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") {
      text.removeLast()
    }
    if text.last == UInt8(ascii: "]") { text.removeLast() }
    if let quote = text.last, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      text.removeLast()
      guard let start = text.lastIndex(of: quote) else { return nil }
      return text[(start + 1)...]
    }
    let start = text.lastIndex { !isWordByte($0) }.map { $0 + 1 } ?? text.startIndex
    let before = text[..<start].last ?? UInt8(ascii: " ")
    guard start < text.endIndex, " \t{,;".utf8.contains(before) else { return nil }
    return text[start...]
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || byte == UInt8(ascii: "_") || byte >= 0x80
  }
}
