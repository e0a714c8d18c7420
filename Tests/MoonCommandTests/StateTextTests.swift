import Foundation
import MoonPrompt
import MoonTerminal
import MoonTestSupport
import Testing

@testable import MoonCommand
@testable import Moonwire

/// The text of a state, as `--state` writes and `--restore` reads it.
struct StateTextTests {
  /// Returns the text that is written to a pipe.
  private func written(
    _ state: Value, _ destination: StateText.Destination = .file,
    limits: ParseLimits = ParseLimits()
  ) throws -> (text: String, omissions: [StateText.Omission]) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/state"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let omissions = try StateText(state, in: destination, limits: limits)
      .write(to: Output(descriptor: descriptor))
    return (try String(contentsOfFile: path, encoding: .utf8), omissions)
  }

  private func read(
    _ text: String, limits: ParseLimits = ParseLimits()
  ) throws(ParseError) -> RestoreFile.Contents {
    try StateReader.contents(of: Array(text.utf8), limits: limits)
  }

  static let texts = FuzzGrammar(
    seeds: [
      "{\"a\":{\"n\":1},\"b\":[1,2.5,\"x\"]}", "{}", " { \"a\" : { } , \"[1]\" : [ ] } ",
      "{\"a\":{\"t\":\"\\\"}{,\\\\\"},\"navigation\":{\"windows\":[]}}", "{\n\"a\":\n[1,\n2]\n}\n",
      "{\"a\":[[[[1]]]],\"a\":{}}", "[1]", "5", "null",
    ],
    pieces: [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\"a\":", "\"b\":{}", "1", " ", "\n", "null",
    ])

  @Test func `slice by slice the same is read as at once`() {
    let failure = Fuzzing("state", cases: 6000).firstFailure(
      make: { Self.texts.text(&$0) },
      check: { bytes, _ in
        let whole = Result { () throws(ParseError) in
          try Value(parsing: bytes.withoutByteOrderMark)
        }
        let slices = Result { () throws(ParseError) in try StateReader.contents(of: bytes) }
        switch (whole, slices) {
        case (.success(let value), .success(let contents)):
          return contents.state == value && contents.unreadable.isEmpty ? nil : "\(contents)"
        case (.failure(let first), .failure(let second)):
          // If there are several errors, another may be found first.
          return first == second || first.offset >= 0 && second.line >= 1 ? nil : "\(second)"
        default: return "\(whole) and \(slices)"
        }
      })
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test func `a byte order mark is skipped`() throws {
    #expect(try read("\u{FEFF}{\"a\":{\"n\":1}}").state == ["a": ["n": 1]])
    #expect(throws: ParseError.self) { try read("\u{FEFF}\u{FEFF}{}") }
  }

  @Test func `what is written is read again, whatever it holds`() throws {
    let scalars: [Value] = [
      .null, true, -1, 2.5, .int(.max), "", "\u{9B}\u{202E}\u{7F}\u{0}\"\\\n😀", .double(-0.0),
    ]
    var random = SplitMix64(seed: 7)
    func value(_ depth: Int) -> Value {
      switch depth > 3 ? 0 : random.below(4) {
      case 1: .list(List((0..<random.below(4)).map { _ in value(depth + 1) }))
      case 2:
        .map(
          Map(
            (0..<random.below(4)).map { index -> (Key, Value) in
              (
                random.once(in: 2) ? .int(Int64(index)) : .string(Text("k\(index)\u{9B}")),
                value(depth + 1)
              )
            }))
      default: random.pick(scalars)
      }
    }
    for _ in 0..<200 {
      let state = Value.map(
        Map((0..<random.below(5)).map { (Key.string(Text("m\($0)")), value(0)) }))
      for destination in [StateText.Destination.file, .line] {
        let (text, omissions) = try written(state, destination)
        #expect(omissions.isEmpty && text.hasSuffix("}\n"))
        #expect(try read(text).state == state)
        if case .line = destination {
          #expect(!TerminalText.needsSanitizing(text))
        } else {
          #expect(text == state.canonicalText + "\n")
        }
      }
      let record = try Value(parsing: written(state, .record).text)
      #expect(record == ["kind": "state", "path": "", "v": 1, "value": state])
    }
  }

  @Test func `a slice that would be larger than any memory is left out, and the others aren't`()
    throws
  {
    // 2 to the 60th values, of which memory holds 60.
    var huge: Value = 1
    for _ in 0..<60 { huge = [huge, huge] }
    let state: Value = ["a": ["n": 1], "huge": huge, "z": ["n": 2]]
    let (text, omissions) = try written(state)
    #expect(text == "{\"a\":{\"n\":1},\"z\":{\"n\":2}}\n")
    #expect(omissions.map(\.slice) == ["huge"])
    let report = try #require(omissions.first).report.text(.plain)
    #expect(
      report.hasPrefix("error: the slice of huge isn't written: its text would exceed 256 MB"))
  }

  @Test func `a text just within the limit is written, and a longer one isn't`() throws {
    let state: Value = ["a": ["t": "\u{1}\u{1}\u{1}"], "b": ["n": 1]]
    // {"a":{"t":"\u0001\u0001\u0001"}}
    for (limit, omitted) in [(32, []), (31, ["a"])] {
      let limits = ParseLimits(depthMax: 64, nodeCountMax: 10, byteCountMax: limit)
      #expect(try written(state, limits: limits).omissions.map(\.slice) == omitted)
    }
    let limits = ParseLimits(depthMax: 64, nodeCountMax: 1, byteCountMax: 100)
    #expect(try written(state, limits: limits).omissions.map(\.slice) == ["a", "b"])
  }

  @Test func `a slice may be nested as deeply as a value can be`() throws {
    let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    let contents = try read("{\"a\":\(deepest),\"b\":{\"n\":1}}")
    #expect(contents.unreadable.isEmpty)
    #expect(contents.state.mapValue?["b"] == ["n": 1])
  }

  @Test func `a slice that exceeds a limit costs only itself, and its place is named`() throws {
    let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    let contents = try read("{\"a\":{\"n\":1},\n \"b\": \(deep), \"c\":{}}")
    #expect(contents.state == ["a": ["n": 1], "c": [:]])
    let slice = try #require(contents.unreadable.first)
    #expect(contents.unreadable.count == 1 && slice.slice == "b")
    #expect(slice.error.reason == .depthExceeded(max: 64))
    #expect(slice.error.line == 2 && slice.error.column == 71 && slice.error.offset == 84)
    let limits = ParseLimits(depthMax: 64, nodeCountMax: 3, byteCountMax: 20)
    let small = try read(
      "{\"a\":[1,2],\"b\":[1,2,3],\"c\":\"01234567890123456789\"}", limits: limits)
    #expect(small.state == ["a": [1, 2]])
    #expect(small.unreadable.map(\.slice) == ["b", "c"])
  }

  static let faulty: [(text: String, line: Int, column: Int)] = [
    ("{\"a\":{\"n\":1},\n \"b\":[1,}}", 2, 9), ("{\"a\":{}", 1, 8), ("{\"a\":{}} x", 1, 10),
    ("{\"a\":{},\"a\":{}}", 1, 9), ("{\"ä\":{},\n\"b\":\n{\"x\":01}}", 3, 6), ("", 1, 1),
    ("{\"a\" {}}", 1, 6), ("{a:1}", 1, 2), ("{\"a\":\"x}", 1, 9), ("{\"a\":]}", 1, 6),
  ]

  @Test(arguments: faulty)
  func `a text that isn't JSON is refused with its place`(text: String, line: Int, column: Int) {
    let error = #expect(throws: ParseError.self) { try read(text) }
    #expect(error?.line == line && error?.column == column, "\(String(describing: error))")
  }
}
