import MoonJournal
import MoonTestSupport
import MoonValues
import Moonwire
import Testing

/// The texts of commits, and the rows that hold them.
struct RecordTextTests {
  /// A space in front has the text parsed as a whole, into maps.
  private static func entries(_ bytes: [UInt8]) -> (Value?, parsed: Value?) {
    (
      (try? JournalEntry(bytes)).map(\.value),
      parsed: (try? JournalEntry([UInt8(ascii: " ")] + bytes)).map(\.value)
    )
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `a commit is read alike from canonical and other text`(seed: UInt64) {
    var commits = RandomCommits(random: SplitMix64(seed: seed))
    for _ in 0..<50 {
      let value = commits.commit()
      let (entry, parsed) = Self.entries(Array(value.canonicalText.utf8))
      #expect(entry == value, "seed \(seed): \(value)")
      #expect(parsed == value, "seed \(seed): \(value)")
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `a damaged commit is read alike, or not at all`(seed: UInt64) {
    var commits = RandomCommits(random: SplitMix64(seed: seed))
    for _ in 0..<4 {
      let bytes = Array(commits.commit().canonicalText.utf8)
      for index in bytes.indices {
        var changed = bytes
        switch commits.random.below(4) {
        case 0: changed.removeSubrange(index...)
        case 1: changed.remove(at: index)
        case 2: changed[index] ^= 1 << UInt8(commits.random.below(8))
        default: changed[index] = commits.random.pick(Array("{}[],:\"\\0-. n".utf8))
        }
        let (entry, parsed) = Self.entries(changed)
        #expect(entry == parsed, "seed \(seed): \(String(decoding: changed, as: UTF8.self))")
      }
    }
  }

  @Test(arguments: [
    #"{"action":{"cause":"native","id":0,"time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"time":1,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"other","id":1,"time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":7},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b"},"changes":{}}"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b"},"changes":[]} x"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b"},"changes":[],"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"id":1,"time":1.5,"type":"a/b"},"changes":[]}"#,
  ])
  func `what isn't a commit is refused`(text: String) {
    #expect(throws: JournalError.Reason.self) { try JournalEntry(Array(text.utf8)) }
  }

  @Test(arguments: [
    #"{"action":{"cause":"native","extra":1,"id":1,"time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","guards":1,"id":1,"time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"parent":"1","time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"payload":null,"time":1.5,"type":"a/b"},"changes":[]}"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b"},"changes":[],"mapped":false}"#,
    #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b","z":2},"changes":[],"z":1}"#,
  ])
  func `what a commit doesn't need is ignored`(text: String) throws {
    let plain = #"{"action":{"cause":"native","id":1,"time":1.5,"type":"a/b"},"changes":[]}"#
    #expect(try JournalEntry(Array(text.utf8)).value.canonicalText == plain)
  }

  @Test(arguments: [1, 2, 3, 4, 5, 15, 16, 17, 20, 63, 64, 65, 84, 85, 150, 1000])
  func `any number of records is kept in order`(count: Int) throws {
    let bench = try JournalBench()
    let file = try JournalFile(bench.path, for: .beginning)
    let records = (1...count).map { number in
      let text = "{\"changes\":[" + String(repeating: " ", count: number % 50) + "]}"
      return JournalRecord(number: Int64(number), kind: .change, bytes: Array(text.utf8))
    }
    try file.append(records)
    var found: [JournalRecord] = []
    try file.read(from: 1) { record in
      found.append(record)
      return true
    }
    #expect(found == records)
    found = []
    try file.read(from: Int64(count)) { record in
      found.append(record)
      return false
    }
    #expect(found == records.suffix(1))
    file.close()
  }
}

/// Random commits as data.
private struct RandomCommits {
  var random: SplitMix64

  mutating func commit() -> Value {
    var map: Map = ["changes": .list(List((0..<random.below(3)).map { _ in edit() }))]
    if random.once(in: 6) {
      map["actions"] = .list(List((0..<(2 + random.below(2))).map { _ in action() }))
    } else {
      map["action"] = action()
    }
    if random.once(in: 4) { map["mapped"] = true }
    return .map(map)
  }

  private mutating func action() -> Value {
    let causes: [Cause] = [
      .native, .prompt, .commandLine, .host, .screen("main \"screen\""),
      .module("counter", .observer),
    ]
    var meta = Action.Meta(cause: random.pick(causes))
    meta.id = Int64(1 + random.below(1 << 40))
    meta.time = Double(1_700_000_000_000 + random.below(1 << 40)) / 1000
    if random.once(in: 3) { meta.parent = Int64(random.below(1000)) }
    if random.once(in: 4) { meta.extra = ["source": scalar(), "é": scalar()] }
    if random.once(in: 4) { meta.guards = [scalar(), [scalar()]] }
    let type = random.pick(["a/b", "counter/increment", "a/type with \"quotes\""])
    let payload: Value =
      random.once(in: 3) ? .null : random.once(in: 3) ? scalar() : ["by": scalar(), "of": [1]]
    return Action(Text(type), payload, meta: meta).journalValue
  }

  private mutating func edit() -> Value {
    let path: Value = ["counter", .int(Int64(random.below(5))), scalar()]
    return random.once(in: 3) ? ["-", path] : ["=", path, ["a": scalar()]]
  }

  private mutating func scalar() -> Value {
    random.pick([nil, true, 1, -2.5, 1e300, "", "text", "a text of more than fifteen bytes", "\n"])
  }
}
