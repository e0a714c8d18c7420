package import MoonValues

/// The ids of a tree's windows, screens and containers.
///
/// Persistent, so that each tree has its own at the cost of what changed.
struct TreeIDs: Sendable {
  /// An entry for each id that isn't in ``numbers``.
  private var ids = Map()
  /// For each word of ids such as `word-12`, the ``NumberRuns`` of their numbers, but for those in
  /// ``latest``.
  private var numbers = Map()
  /// The run of numbers that was added to last.
  ///
  /// The next id usually adds to it, too, and no map changes.
  private var latest: Run?
  /// For each word of ids such as `word-012`, the number of ids by their number.
  private var padded = Map()

  /// A run of ids such as `word-12`.
  private struct Run {
    let word: Text
    let first: Int64
    var last: Int64

    func contains(_ parts: Text.NumberedParts) -> Bool {
      parts.number <= last && parts.number >= first && parts.word == word
    }
  }

  init() {}

  init(of windows: [NavigationWindow]) {
    for window in windows {
      _ = insert(window.id)
      window.root?.forEach { _ = insert($0.id) }
    }
  }

  func contains(_ id: Text) -> Bool {
    guard let parts = id.wordAndNumber, !parts.isPadded else { return ids[.string(id)] != nil }
    return contains(parts)
  }

  private func contains(_ parts: Text.NumberedParts) -> Bool {
    latest?.contains(parts) ?? false || numbers(after: parts.word).contains(parts.number)
  }

  private func numbers(after word: Text) -> NumberRuns {
    NumberRuns(numbers[.string(word)]?.mapValue ?? Map())
  }

  /// The highest number of an id such as `word-12`; nil if there is no such id.
  func highestNumber(after word: Text) -> Int? {
    var number = numbers(after: word).highest
    if let latest, latest.word == word { number = max(number ?? latest.last, latest.last) }
    guard case .map(let counts)? = padded.isEmpty ? nil : padded[.string(word)],
      case .int(let other) = counts.entry(at: counts.count - 1).key
    else { return number.map { Int($0) } }
    return Int(max(number ?? other, other))
  }

  /// Adds an id; returns false if it is there already.
  mutating func insert(_ id: Text) -> Bool {
    if let parts = id.wordAndNumber {
      if !parts.isPadded { return insert(parts) }
      guard !contains(id) else { return false }
      count(parts, 1)
    }
    guard ids[.string(id)] == nil else { return false }
    ids[.string(id)] = .bool(true)
    return true
  }

  private mutating func insert(_ parts: Text.NumberedParts) -> Bool {
    if contains(parts) { return false }
    if let latest, latest.last + 1 == parts.number, latest.word == parts.word {
      self.latest?.last = parts.number
    } else {
      putLatestAside()
      latest = Run(word: parts.word, first: parts.number, last: parts.number)
    }
    return true
  }

  /// Moves the latest run to the others.
  private mutating func putLatestAside() {
    guard let run = latest.take() else { return }
    var known = numbers(after: run.word)
    known.insert(from: run.first, to: run.last)
    numbers[.string(run.word)] = .map(known.map)
  }

  mutating func remove(_ id: Text) {
    let parts = id.wordAndNumber
    if let parts, !parts.isPadded { return remove(parts) }
    guard ids[.string(id)] != nil else { return }
    ids[.string(id)] = Value?.none
    if let parts { count(parts, -1) }
  }

  private mutating func remove(_ parts: Text.NumberedParts) {
    if let run = latest, run.contains(parts) {
      if run.first < run.last, run.last == parts.number {
        latest?.last -= 1
        return
      }
      putLatestAside()
    }
    var known = numbers(after: parts.word)
    known.remove(parts.number)
    numbers[.string(parts.word)] = known.map.isEmpty ? Value?.none : .map(known.map)
  }

  /// Counts an id such as `word-012`, since another one, `word-0012`, has the same number.
  private mutating func count(_ parts: Text.NumberedParts, _ change: Int64) {
    let word = Key.string(parts.word)
    let number = Key.int(parts.number)
    var counts = padded[word]?.mapValue ?? Map()
    let count = (counts[number]?.intValue ?? 0) + change
    counts[number] = count == 0 ? Value?.none : .int(count)
    padded[word] = counts.isEmpty ? Value?.none : .map(counts)
  }
}

extension Text {
  /// The parts of an id such as `word-12`.
  package struct NumberedParts {
    package let word: Text
    package let number: Int64
    /// Whether the number begins with a zero that isn't its only digit.
    let isPadded: Bool
  }

  /// The parts of an id such as `word-12`; nil for other ids, and for numbers of more than nine
  /// digits.
  package var wordAndNumber: NumberedParts? {
    // Few ids of more bytes than fit into a text without an allocation end this way; see `packed`.
    if let packed { return Self.wordAndNumber(packed: packed) }
    return withUTF8 { bytes in
      var (start, number, scale) = (bytes.count, Int64(0), Int64(1))
      while start > 0, bytes.count - start < 10, (48...57).contains(bytes[start - 1]) {
        start -= 1
        number += Int64(bytes[start] - 48) * scale
        scale *= 10
      }
      guard start > 0, bytes[start - 1] == UInt8(ascii: "-"),
        (1...9).contains(bytes.count - start)
      else { return nil }
      return NumberedParts(
        word: Text(validUTF8: UnsafeBufferPointer(rebasing: bytes[..<(start - 1)])),
        number: number,
        isPadded: bytes[start] == UInt8(ascii: "0") && start + 1 < bytes.count)
    }
  }

  /// Makes an id of a word and a number, such as `word-12`.
  package init(word: Text, number: Int64) {
    self = word.withUTF8 { word in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: word.count + 21) { bytes in
        // Written from the end, since that of the number comes first.
        var (start, rest) = (bytes.count, number.magnitude)
        repeat {
          start -= 1
          bytes[start] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        } while rest > 0
        start -= 1
        bytes[start] = UInt8(ascii: "-")
        start -= word.count
        _ = bytes[start...].update(fromContentsOf: word)
        return Text(validUTF8: UnsafeBufferPointer(rebasing: bytes[start...]))
      }
    }
  }

  /// Like the property, for the words of a small text, without a closure on its bytes.
  private static func wordAndNumber(packed: (UInt64, UInt64)) -> NumberedParts? {
    func byte(_ index: Int) -> UInt64 {
      let word = index < 8 ? packed.0 : packed.1
      return word >> UInt64(56 - 8 * (index & 7)) & 0xFF
    }
    let count = Int(packed.1 & 0xFF)
    var (start, number, scale) = (count, Int64(0), Int64(1))
    while start > 0, count - start < 10, (48...57).contains(byte(start - 1)) {
      start -= 1
      number += Int64(byte(start) - 48) * scale
      scale *= 10
    }
    guard start > 0, byte(start - 1) == UInt64(UInt8(ascii: "-")), (1...9).contains(count - start)
    else { return nil }
    let length = start - 1
    let high = length >= 8 ? packed.0 : length == 0 ? 0 : packed.0 & ~0 << UInt64(64 - 8 * length)
    let low = length <= 8 ? 0 : packed.1 & ~0 << UInt64(128 - 8 * length)
    return NumberedParts(
      word: Text(packed: (high, low | UInt64(length))), number: number,
      isPadded: byte(start) == 48 && start + 1 < count)
  }
}
