import MoonTestSupport
import MoonValues
import Testing

struct ListTests {
  @Test(arguments: [0, 1, 2, 15, 16, 17, 32, 33, 255, 256, 257, 5_000])
  func `a list of values by their index asks for each once and in order`(count: Int) {
    var asked: [Int] = []
    let list = List(count: count) { index in
      asked.append(index)
      return .string(Text("value \(index)"))
    }
    #expect(asked == Array(0..<count))
    #expect(list == List((0..<count).map { Value.string(Text("value \($0)")) }))
    #expect(Value.list(list).canonicalByteCount == Value.list(list).canonicalText.utf8.count)
  }

  @Test(arguments: [0, 1, 2, 15, 16, 17, 33, 256, 257, 5_000])
  func `the first position of a sorted list's tail is found in lists of any size`(count: Int) {
    var list = List()
    // Inserted at both ends, so that nodes aren't all full.
    for number in (0..<(count / 2)).reversed() { list.insert(.int(Int64(2 * number)), at: 0) }
    for number in (count / 2)..<count { list.append(.int(Int64(2 * number))) }
    let sought = count < 300 ? Array(-1...(2 * count)) : Array(stride(from: -1, to: 10_001, by: 97))
    for number in sought {
      let position = list.firstPosition { value in value.intValue ?? 0 >= Int64(number) }
      #expect(position == min(max((number + 1) / 2, 0), count), "\(number)")
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func `random edits of a list and of its copies agree with an array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var list = List()
    var model: [Value] = []
    var kept: [(list: List, model: [Value])] = []
    let growth = seed.isMultiple(of: 2) ? 6 : 5
    for step in 0..<3000 {
      let value = Value.int(Int64(step))
      switch random.below(10) {
      case 0..<growth:
        let position = random.below(3) == 0 ? model.count : random.below(model.count + 1)
        list.insert(value, at: position)
        model.insert(value, at: position)
      case growth..<8:
        guard !model.isEmpty else { continue }
        let position = random.below(model.count)
        #expect(list.remove(at: position) == model.remove(at: position), "seed \(seed)")
      case 8:
        guard !model.isEmpty else { continue }
        let position = random.below(model.count)
        list[position] = value
        model[position] = value
      default:
        if random.below(10) == 0 { kept.append((list, model)) }
      }
      #expect(list.count == model.count, "seed \(seed), step \(step)")
      if let position = model.indices.randomElement(using: &random) {
        #expect(list[position] == model[position], "seed \(seed), step \(step)")
      }
      if step % 100 == 0 {
        #expect(list.elementsEqual(model), "seed \(seed), step \(step)")
        #expect(list == List(model), "seed \(seed), step \(step)")
      }
    }
    for old in kept {
      #expect(old.list.elementsEqual(old.model), "seed \(seed)")
    }
    while !model.isEmpty {
      let position = random.below(model.count)
      #expect(list.remove(at: position) == model.remove(at: position), "seed \(seed)")
    }
    #expect(list.isIdentical(to: List()))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 255, 256, 257, 5000])
  func `a list holds what it was made of`(count: Int) {
    let model = (0..<count).map { Value.int(Int64($0)) }
    let list = List(model)
    var appended = List()
    for value in model { appended.append(value) }
    #expect(list.count == count)
    #expect(list.elementsEqual(model))
    #expect(appended == list)
    #expect((0..<count).allSatisfy { list[$0] == model[$0] })
  }

  @Test func `removing the last values one by one empties a list`() {
    var list = List((0..<1000).map { .int($0) })
    for expected in (0..<1000).reversed() {
      #expect(list.removeLast() == .int(Int64(expected)))
    }
    #expect(list.isEmpty)
  }

  @Test func `a change leaves the copy as it was and shares the rest with it`() {
    let old = List((0..<1000).map { .list([.int($0)]) })
    var new = old
    new[500] = .null
    #expect(old[500] == [500])
    #expect(new[500] == .null)
    #expect((0..<1000).allSatisfy { $0 == 500 || new[$0].isIdentical(to: old[$0]) })
    #expect(new != old)
    new[500] = old[500]
    #expect(new == old)
    #expect(!new.isIdentical(to: old))
  }

  @Test func `replacing a value leaves the copy as it was`() {
    let old: List = [[1, 2], [3, 4]]
    var new = old
    new[1] = .list(List([new[1], 5]))
    #expect(old == [[1, 2], [3, 4]])
    #expect(new == [[1, 2], [[3, 4], 5]])
  }

  @Test func `lists of different lengths or values differ`() {
    #expect(List([1, 2]) != List([1, 2, 3]))
    #expect(List([1, 2]) != List([1, 3]))
    #expect(List([1]) != List([1.0]))
    #expect(List() == List([]))
  }
}
