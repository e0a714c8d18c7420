import Foundation
import MoonActions
import MoonFeatures
import MoonTestSupport
import MoonValues
import Testing

/// A value with parts of all kinds that a type can have.
private struct Sample: Codable, Equatable {
  enum Mood: String, Codable, CaseIterable { case calm, wild }
  enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case polygon([Int])
  }
  struct Inner: Codable, Equatable {
    var name: String
    var tags: Set<String>
    var nothing: Int?
  }

  var flag: Bool
  var small: Int8
  var large: Int64
  var unsigned: UInt32
  var number: Double
  var short: Float
  var text: String
  var mood: Mood
  var shape: Shape
  var inner: [Inner]
  var byName: [String: Inner]
  var optional: Inner?
  var numbers: [Double?]
  var url: URL
  var id: UUID
  var bytes: Data
}

extension Sample {
  init(_ random: inout SplitMix64) {
    func text() -> String {
      String(
        (0..<Int.random(in: 0...20, using: &random)).map { _ in
          "aé\"\u{0}😀 z\\".randomElement(using: &random) ?? "x"
        })
    }
    func inner() -> Inner {
      Inner(
        name: text(), tags: Set((0..<3).map { _ in text() }),
        nothing: Bool.random(using: &random) ? nil : Int.random(in: .min ... .max, using: &random))
    }
    let count = Int.random(in: 0...4, using: &random)
    flag = Bool.random(using: &random)
    small = Int8.random(in: .min ... .max, using: &random)
    large = Int64.random(in: .min ... .max, using: &random)
    unsigned = UInt32.random(in: .min ... .max, using: &random)
    number = Double(bitPattern: UInt64.random(in: 0...0x7FE0_0000_0000_0000, using: &random))
    short = Float.random(in: -1e9...1e9, using: &random)
    self.text = text()
    mood = Mood.allCases.randomElement(using: &random) ?? .calm
    shape =
      [Shape.point, .circle(radius: number), .polygon([1, Int(small)])].randomElement(
        using: &random) ?? .point
    self.inner = (0..<count).map { _ in inner() }
    byName = Dictionary((0..<count).map { ("\($0)\(text())", inner()) }) { $1 }
    optional = Bool.random(using: &random) ? inner() : nil
    numbers = (0..<count).map { _ in
      Bool.random(using: &random) ? nil : Double.random(in: -1...1, using: &random)
    }
    url = URL(filePath: "/a b/\(count)")
    id = UUID()
    bytes = Data((0..<count).map { UInt8($0) })
  }
}

struct ValueCoderTests {
  @Test func `what is encoded decodes to itself`() throws {
    var random = SplitMix64(seed: 41)
    for _ in 0..<300 {
      let sample = Sample(&random)
      let value = try ValueEncoder().encode(sample)
      #expect(try ValueDecoder().decode(Sample.self, from: value) == sample)
      // What a journal keeps is the text of the value.
      let read = try Value(parsing: value.canonicalText)
      #expect(try ValueDecoder().decode(Sample.self, from: read) == sample)
    }
  }

  @Test func `values have the shape that an encoder for JSON makes`() throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<100 {
      var sample = Sample(&random)
      sample.url = URL(filePath: "/x")
      let value = try ValueEncoder().encode(sample)
      let json = try JSONEncoder().encode(sample)
      let other = try ValueDecoder().decode(
        Sample.self, from: Value(parsing: String(decoding: json, as: UTF8.self)))
      #expect(other == sample)
      #expect(try JSONDecoder().decode(Sample.self, from: Data(value.canonicalText.utf8)) == sample)
      #expect(
        try JSONDecoder().decode(Value.self, from: json).mapValue?.keys == value.mapValue?.keys)
    }
  }

  @Test func `a Value in a value is taken as it is`() throws {
    struct Holder: Codable { var list: List; var map: Map; var any: Value; var text: Text }
    let list = List((0..<100).map { .int($0) })
    let value = try ValueEncoder().encode(
      Holder(list: list, map: [5: true], any: ["a": nil], text: "t"))
    #expect(value["list"]?.listValue?.isIdentical(to: list) == true)
    let holder = try ValueDecoder().decode(Holder.self, from: value)
    #expect(holder.list.isIdentical(to: list))
    #expect(holder.map == [5: true] && holder.any == ["a": nil] && holder.text == "t")
  }

  private struct Point: Codable { var x: Int8; var y: Double; var tags: [String] }
  private struct Outer: Codable { var points: [Point] }

  static let refusals: [(Value, String)] = [
    (["points": [["x": 1, "y": 2]]], "points[1].tags is missing, and must be a list"),
    (
      ["points": [["x": "one", "y": 2, "tags": []]]],
      "points[1].x is a string, and must be an integer"
    ),
    (["points": [["x": 300, "y": 2, "tags": []]]], "points[1].x is 300, which doesn't fit Int8"),
    (["points": [["x": 1.5, "y": 2, "tags": []]]], "points[1].x is 1.5, which doesn't fit Int8"),
    (
      ["points": [["x": .double(.infinity), "y": 2, "tags": []]]],
      "points[1].x is 1e999, which doesn't fit Int8"
    ),
    (
      ["points": [["x": 1, "y": .int(.max), "tags": []]]],
      "points[1].y is 9223372036854775807, which doesn't fit a number"
    ),
    (
      ["points": [["x": 1, "y": 2, "tags": ["a", 7]]]],
      "points[1].tags[2] is an integer, and must be a string"
    ),
    (["points": 3], "points is an integer, and must be a list"),
    ("x", "the value is a string, and must be a map"),
    (.null, "the value is null, and must be a map"),
  ]

  @Test(arguments: refusals)
  func `what doesn't fit is refused with its place`(value: Value, message: String) {
    #expect("\(error { try ValueDecoder().decode(Outer.self, from: value) })" == message)
  }

  @Test func `a number fits as scripts write it`() throws {
    let point = try ValueDecoder().decode(
      Point.self, from: ["x": 3.0, "y": 4, "tags": .map(Map())])
    #expect(point.x == 3 && point.y == 4 && point.tags.isEmpty)
  }

  /// A list that holds itself, again and again.
  private struct Endless: Codable {
    var depth = 0
    init() {}
    init(from decoder: any Decoder) throws {
      self = try decoder.singleValueContainer().decode(Endless.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.unkeyedContainer()
      try container.encode(Endless())
    }
  }

  @Test func `what no state can hold is refused`() {
    struct Numbers: Codable { var all: [Double] }
    #expect(
      "\(error { try ValueEncoder().encode(Numbers(all: [1, .nan])) })"
        == "all[2] is not a number (0/0), which can't be kept")
    #expect(
      "\(error { try ValueEncoder().encode(["big": UInt64.max]) })"
        == "big is 18446744073709551615, which doesn't fit a 64-bit integer")
    #expect(
      "\(error { try ValueEncoder().encode(["by": [1: "one"]]) })"
        == "by is a dictionary with keys of type Int: use texts as keys")
    #expect(
      "\(error { try ValueDecoder().decode([Double: Int].self, from: .map(Map())) })"
        == "the value is a dictionary with keys of type Double: use texts as keys")
    let deep = "\(error { try ValueEncoder().encode(Endless()) })"
    #expect(deep.hasSuffix("is nested more than 64 deep: hold less within one value"))
    #expect(
      "\(error { try ValueDecoder().decode(Endless.self, from: 1) })"
        == "the value is nested more than 64 deep: hold less within one value")
    #expect(
      "\(error { try ValueEncoder().encode(Array(repeating: 0, count: 1_000_001)) })"
        == "the value has more than 1000000 parts: keep large collections as a List or a Map")
    #expect(
      "\(error { try ValueDecoder().decode(Sample.Mood.self, from: "odd") })"
        == "the value can't be used: Cannot initialize Mood from invalid String value odd")
  }

  /// Returns the error that a function throws; nil and a failure of the test if there is none.
  private func error<T>(
    _ body: () throws -> T, at place: SourceLocation = #_sourceLocation
  ) -> ValueCodingError {
    do {
      _ = try body()
      Issue.record("nothing was refused", sourceLocation: place)
    } catch {
      if let error = error as? ValueCodingError { return error }
      Issue.record(error, sourceLocation: place)
    }
    return .tooManyParts(max: 0)
  }

  private struct Asked: Codable {
    struct Item: Codable { var title: String; var due: Date?; var children: [Asked]? }
    var count: Int
    var ratio: Float
    var on: Bool?
    var mood: Sample.Mood
    var items: [Item]
    var byName: [String: Double]
    var anything: Value
    var url: URL
  }

  @Test func `a schema is what a type asks for`() throws {
    let schema = try #require(PayloadSchema(of: Asked.self))
    #expect(
      schema.fields.map { "\($0.name): \($0.type)\($0.isOptional ? "?" : "")" } == [
        "anything: any", "byName: {[string] = number}", "count: integer",
        "items: {children = any[]?, due = number?, title = string}[]", "mood: calm|wild",
        "on: boolean?", "ratio: number", "url: string",
      ])
    struct Unknown: Codable { var shape: Sample.Shape; var count: Int }
    #expect(PayloadSchema(of: Unknown.self) == nil)
    #expect(PayloadSchema(of: Int.self) == nil)
    struct Empty: Codable {}
    #expect(PayloadSchema(of: Empty.self)?.fields == [])
  }
}
