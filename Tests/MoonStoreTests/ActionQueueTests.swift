import MoonStore
import Testing

struct ActionQueueTests {
  @Test func `actions leave in the order in which they came`() throws {
    var queue = ActionQueue<Int>()
    for number in 1...3 { try queue.append(number) }
    #expect(queue.count == 3)
    #expect(
      [
        queue.popFirst()?.action, queue.popFirst()?.action, queue.popFirst()?.action,
        queue.popFirst()?.action,
      ] == [1, 2, 3, nil])
  }

  @Test func `a full queue takes no more and keeps what it has`() throws {
    var queue = ActionQueue<Int>()
    for number in 0..<ActionQueue<Int>.countMax { try queue.append(number) }
    #expect(throws: ActionQueueFull.self) { try queue.append(-1) }
    #expect(queue.count == ActionQueue<Int>.countMax)
    #expect(queue.popFirst()?.action == 0)
    try queue.append(-2)
    #expect(throws: ActionQueueFull.self) { try queue.append(-3) }
  }

  @Test func `a queue takes so many bytes and no more, and gets them back`() throws {
    let max = ActionQueue<Int>.bytesMax
    var queue = ActionQueue<Int>()
    try queue.append(1, bytes: max - 10)
    try queue.append(2, bytes: 10)
    #expect(queue.bytesLeft == 0)
    #expect(throws: ActionQueueFull.bytes) { try queue.append(3, bytes: 1) }
    try queue.append(4)
    #expect(queue.popFirst()?.action == 1)
    #expect(queue.bytesLeft == max - 10)
    queue.removeAll()
    #expect(queue.bytesLeft == max)
    #expect(throws: ActionQueueFull.bytes) { try queue.append(5, bytes: max + 1) }
  }

  @Test func `forgetting tells how many there were`() throws {
    var queue = ActionQueue<Int>()
    #expect(queue.removeAll() == 0)
    try queue.append(1)
    try queue.append(2)
    #expect(queue.removeAll() == 2)
    #expect(queue.popFirst()?.action == nil)
  }
}
