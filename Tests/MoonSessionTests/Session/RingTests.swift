import MoonTestSupport
import Testing

@testable import MoonSession

struct RingTests {
  @Test(arguments: [1, 2, 3, 7, 64])
  func `a ring holds what a list holds whose first elements are removed`(countMax: Int) {
    for seed in 0..<20 {
      var random = SplitMix64(seed: UInt64(seed))
      var ring = Ring<Int>(countMax: countMax)
      var list: [Int] = []
      for number in 0..<500 {
        if random.once(in: 4) {
          #expect(ring.popFirst() == (list.isEmpty ? nil : list.removeFirst()))
        } else {
          #expect(ring.firstOfFull == (list.count == countMax ? list.first : nil))
          ring.append(number)
          if list.count == countMax { list.removeFirst() }
          list.append(number)
        }
        #expect(ring.count == list.count)
        #expect(ring.elements == list)
      }
    }
  }

  @Test func `elements that leave are released`() {
    final class Element {}
    weak var replaced: Element?
    weak var removed: Element?
    var ring = Ring<Element>(countMax: 2)
    do {
      let elements = [Element(), Element(), Element()]
      (replaced, removed) = (elements[0], elements[1])
      for element in elements { ring.append(element) }
      _ = ring.popFirst()
    }
    #expect(replaced == nil)
    #expect(removed == nil)
    #expect(ring.count == 1)
  }
}
