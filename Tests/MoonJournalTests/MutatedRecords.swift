import MoonTestSupport
import Moonwire
import Synchronization

/// Records of a journal whose JSON was changed, as lines of a case: the kind, a space and the text.
///
/// Their sums are right in whatever store they are put.
struct MutatedRecords {
  /// Records of sessions as they were.
  let recordings: [[JournalRecord]]

  /// Values that no program of ours writes at most places.
  private static let nasty: [Value] = [
    0, -1, 1, 2, .int(.max), .int(.min), .int(.max - 1), .int(1 << 31), .int(1 << 53),
    .int(JournalRecord.numbers.upperBound), .int(JournalRecord.numbers.upperBound - 1),
    .double(1e308), .double(-1e308), .double(1e-300), .double(0.5), .double(1e12), .double(-0.0),
    "", "\u{0}", "\u{202E}\u{1B}[2J", "nav/route", "orders/place", "orders", "../../x", "begin",
    true, false, .null, [], [:], [[]], [1, 1, 1, 1], ["=", ["orders"], 1],
  ]

  private static let keys: [Text] = [
    "", "again", "answer", "asked", "begin", "calls", "changes", "contents", "durable", "end",
    "ending", "entries", "file", "files", "id", "last", "moonwire", "settled", "state", "task",
    "tasks", "turn", "unsettled", "until", "versions", "waits", "\u{0}",
  ]

  /// Makes a case: a recording with a few changes in some of its records.
  func lines(_ random: inout SplitMix64) -> [UInt8] {
    var records = random.pick(recordings).map { (kind: $0.kind.rawValue, bytes: $0.bytes) }
    for _ in 0...random.below(3) {
      let index = random.below(records.count)
      switch random.below(16) {
      case 0: records.insert(random.pick(records), at: index)
      case 1 where records.count > 1: records.remove(at: index)
      case 2: records.swapAt(index, random.below(records.count))
      case 3: records[index].kind = 1 + random.below(3)
      case 4, 5: records[index].bytes = Self.changedText(records[index].bytes, &random)
      default:
        guard var value = try? Value(parsing: records[index].bytes, limits: .state) else {
          continue
        }
        for _ in 0...random.below(3) { value = Self.changed(value, &random) }
        var bytes: [UInt8] = []
        value.writeCanonical(into: &bytes)
        records[index].bytes = bytes
      }
    }
    return Array(records.map { Array("\($0.kind) ".utf8) + $0.bytes }.joined(separator: [10]))
  }

  /// Reads a case; the numbers begin at 1.
  static func records(of lines: [UInt8]) -> [JournalRecord] {
    lines.split(separator: 10).enumerated().compactMap { index, line in
      guard let digit = line.first, let kind = JournalRecord.Kind(rawValue: Int(digit) - 48) else {
        return nil
      }
      return JournalRecord(
        number: Int64(index + 1), kind: kind, bytes: Array(line.dropFirst(2)))
    }
  }

  /// Changes one place of a value, most often a deep one.
  private static func changed(_ value: Value, _ random: inout SplitMix64) -> Value {
    switch value {
    case .map(var map) where !map.isEmpty:
      let (key, inner) = map.entry(at: random.below(map.count))
      switch random.below(14) {
      case 0: map[key] = nil
      case 1: map[.string(random.pick(keys))] = inner
      case 2:
        map[key] = nil
        map[.string(random.pick(keys))] = inner
      case 3: map[key] = map.entry(at: random.below(map.count)).value
      case 4: map[key] = random.pick(nasty)
      default: map[key] = changed(inner, &random)
      }
      return .map(map)
    case .list(var list) where !list.isEmpty:
      let position = random.below(list.count)
      switch random.below(10) {
      case 0: list.remove(at: position)
      case 1: list.insert(list[random.below(list.count)], at: position)
      case 2: list.insert(random.pick(nasty), at: position)
      case 3: list[position] = random.pick(nasty)
      default: list[position] = changed(list[position], &random)
      }
      return .list(list)
    case .int(let number) where random.once(in: 3):
      return .int(number &+ Int64(random.below(5)) &- 2)
    default: return other(random.once(in: 40), &random)
    }
  }

  private static func other(_ isLarge: Bool, _ random: inout SplitMix64) -> Value {
    guard isLarge else { return random.pick(nasty) }
    switch random.below(3) {
    case 0: return .string(Text(String(repeating: "x", count: 300_000)))
    case 1: return .list(List((0..<10_000).map { _ in 1 }))
    default: return (0..<90).reduce(1) { inner, _ in [inner] }
    }
  }

  /// Changes the text itself: a key twice, a number that no value has, deep brackets, a bad byte.
  private static func changedText(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    let place = random.below(bytes.count + 1)
    switch random.below(6) {
    case 0:
      let key = random.pick(keys).string
      bytes.insert(contentsOf: Array("\"\(key)\":1,".utf8), at: min(1, bytes.count))
    case 1:
      let digits = bytes.indices.filter { (48...57).contains(bytes[$0]) }
      guard let digit = digits.isEmpty ? nil : random.pick(digits) else { break }
      bytes.replaceSubrange(
        digit...digit,
        with: Array(
          random.pick(["99999999999999999999", "1e999", "-", "1.5", "0x1", "01", "-0", "1E5"]).utf8)
      )
    case 2: bytes.insert(contentsOf: Array(repeating: UInt8(ascii: "["), count: 100_000), at: place)
    case 3: bytes.removeSubrange(place...)
    case 4 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
    default: bytes.insert(contentsOf: random.pick(FuzzGrammar.nasty), at: place)
    }
    // A line break would begin another record.
    return bytes.filter { $0 != 10 }
  }
}

/// A store in memory.
final class MemoryStore: JournalStore {
  private let records: Mutex<[JournalRecord]>

  init(_ records: [JournalRecord] = []) { self.records = Mutex(records) }

  let name = "memory"
  let appendsBriefly = true
  var byteCount: Int { all.reduce(0) { $0 + $1.bytes.count } }
  var all: [JournalRecord] { records.withLock { $0 } }

  func append(_ records: [JournalRecord]) { self.records.withLock { $0 += records } }

  func read(from number: Int64, _ body: (JournalRecord) -> Bool) {
    for record in all where record.number >= number { if !body(record) { return } }
  }

  func stateNumbers() -> [Int64] { all.filter { $0.kind == .state }.map(\.number) }

  func removeRecords(before number: Int64) {
    records.withLock { $0.removeAll { $0.number < number } }
  }

  func close() {}
}
