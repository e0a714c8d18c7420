import MoonTestSupport
import Testing

@testable import MoonValues

/// The size of a value, counted in a slow and obvious way.
private struct ObviousSize: Equatable {
  var byteCount: Int
  var elementCount = 1
  var depth = 0

  init(_ value: Value) {
    byteCount = value.canonicalText.utf8.count
    for element in value.elements {
      let inner = ObviousSize(element)
      elementCount += inner.elementCount
      depth = max(depth, inner.depth)
    }
    if value.listValue != nil || value.mapValue != nil { depth += 1 }
  }
}

extension Value {
  fileprivate var elements: [Value] { listValue.map(Array.init) ?? mapValue?.map(\.value) ?? [] }

  fileprivate var hasObviousSize: Bool {
    let obvious = ObviousSize(self)
    return canonicalByteCount == obvious.byteCount && elementCount == obvious.elementCount
      && depth == obvious.depth
  }
}

struct SizeTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a value knows how large it is`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    for _ in 0..<100 {
      let value = values.value()
      #expect(value.hasObviousSize, "seed \(seed): \(value)")
      #expect(value.storageCost == value.canonicalByteCount + 16 * value.elementCount)
    }
  }

  static let scalars: [Value] =
    RandomValues.nastyInts.map { .int($0) } + RandomValues.nastyDoubles.map { .double($0) }
    + RandomValues.nastyTexts.map { .string(Text($0)) } + [nil, true, false]

  @Test(arguments: scalars)
  func `every nasty scalar and key knows its bytes`(scalar: Value) {
    #expect(scalar.hasObviousSize)
    #expect(Value.list([scalar, scalar]).hasObviousSize)
    guard let text = scalar.textValue else { return }
    #expect(Value.map(Map(key: .string(text), value: 1)).hasObviousSize)
    #expect(Value.map(Map(key: "k", value: scalar)).hasObviousSize)
    let long = Text(String(repeating: "long ", count: 9) + text.string + "[")
    #expect(Value.map([.string(long): .string(long)]).hasObviousSize)
  }

  @Test func `every byte of ASCII is counted as it is written, wherever it stands`() {
    for byte in UInt8(0)..<0x80 {
      for length in [1, 7, 8, 9, 15, 16, 17, 40] {
        for place in 0..<length {
          var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
          bytes[place] = byte
          let text = Text(String(decoding: bytes, as: UTF8.self))
          let written = Value.string(text).canonicalText.utf8.count
          guard text.canonicalByteCount == written else {
            Issue.record("byte \(byte) at \(place) of \(length)")
            continue
          }
        }
      }
    }
  }

  @Test func `integers and doubles of any length know their bytes`() {
    var power: Int64 = 1
    for _ in 0..<18 {
      for near in [power - 1, power, power + 1, -power, 1 - power] {
        #expect(Value.int(near).hasObviousSize)
        #expect(Value.double(Double(near)).hasObviousSize)
        #expect(Value.double(Double(near) / 8).hasObviousSize)
      }
      power *= 10
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `edits at every level keep the size`(seed: UInt64) {
    var values = RandomValues(seed: seed)
    var map = Map()
    var list = List()
    // Earlier copies share their nodes with all later ones.
    var kept: [(Value, ObviousSize)] = []
    for step in 0..<600 {
      edit(&map, &values)
      edit(&list, &values)
      guard step % 20 == 0 else { continue }
      for value in [Value.map(map), .list(list)] {
        #expect(value.hasObviousSize, "seed \(seed), step \(step)")
        kept.append((value, ObviousSize(value)))
      }
    }
    for (value, size) in kept {
      #expect(value.canonicalByteCount == size.byteCount)
      #expect(value.depth == size.depth)
    }
  }

  private func edit(_ map: inout Map, _ values: inout RandomValues) {
    let key = Key.int(Int64(values.random.below(300)))
    switch values.random.below(8) {
    case 0: map[key] = Value?.none
    case 1: map[values.key()] = values.value(depth: 2)
    case 2 where !map.isEmpty:
      map[map.entry(at: values.random.below(map.count)).key] = values.value(depth: 3)
    default: map[key] = values.value(depth: values.random.below(3))
    }
  }

  private func edit(_ list: inout List, _ values: inout RandomValues) {
    let position = list.isEmpty ? 0 : values.random.below(list.count)
    switch values.random.below(8) {
    case 0,
      1 where !list.isEmpty:
      if !list.isEmpty { list.remove(at: position) }
    case 2 where !list.isEmpty: list[position] = values.value(depth: 3)
    case 3: list.append(values.value(depth: 2))
    default: list.insert(values.value(depth: values.random.below(3)), at: position)
    }
  }

  @Test func `what is shared counts wherever it is`() {
    let part = Value.list(List((0..<100).map { .int($0) }))
    let value = Value.list(List(Array(repeating: part, count: 8000)))
    #expect(value.canonicalByteCount == 8000 * (part.canonicalByteCount + 1) + 1)
    #expect(value.elementCount == 8000 * 101 + 1)
  }

  @Test func `sizes beyond all bounds stop, and are right again when the cause is gone`() {
    var huge: Value = [1, 2, 3]
    for _ in 0..<70 { huge = [huge, huge] }
    #expect(huge.canonicalByteCount == 1 << 50)
    #expect(huge.elementCount == 1 << 50)
    #expect(huge.depth == 71)
    #expect(huge.storageCost > 1 << 50)

    var list = List((0..<1000).map { .int($0) })
    list[500] = huge
    list.append(huge)
    list.insert(huge, at: 0)
    list[3] = "x"
    var map = Map((0..<1000).map { (.int($0), .int($0)) })
    map["huge"] = huge
    map[77] = huge
    #expect(Value.list(list).canonicalByteCount == 1 << 50)
    #expect(Value.map(map).canonicalByteCount == 1 << 50)
    list.remove(at: 0)
    list.removeLast()
    list[500] = 7
    list[2] = 8
    map["huge"] = Value?.none
    map[77] = 1
    #expect(Value.list(list).hasObviousSize)
    #expect(Value.map(map).hasObviousSize)
  }

  @Test func `a value nested deeper than can be counted says so`() {
    var value: Value = 1
    for _ in 0..<300 { value = [value] }
    #expect(value.depth == 255)
    #expect(Value.list([value, 1]).depth == 255)
  }
}
