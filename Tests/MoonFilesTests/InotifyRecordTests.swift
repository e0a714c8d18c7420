import Glibc
import Testing

@testable import MoonFiles

struct InotifyRecordTests {
  @Test(arguments: 0..<8)
  func `records are taken apart at any alignment`(shift: Int) {
    var bytes = [UInt8](repeating: 0xaa, count: shift)
    bytes += record(watch: 7, mask: UInt32(IN_CLOSE_WRITE), name: "a.lua", field: 16)
    bytes += record(watch: -1, mask: UInt32(IN_Q_OVERFLOW), name: "", field: 0)
    bytes += record(watch: 9, mask: UInt32(IN_CREATE | IN_ISDIR), name: "ünt", field: 5)
    let records = bytes.withUnsafeBytes {
      InotifyRecord.records(in: UnsafeRawBufferPointer(rebasing: $0[shift...]))
    }
    #expect(records.map(\.watch) == [7, -1, 9])
    #expect(records.map(\.name) == ["a.lua", "", "ünt"])
    #expect(records[1].has(InotifyRecord.overflow))
    #expect(records[2].has(InotifyRecord.isDirectory) && records[2].has(InotifyRecord.created))
    #expect(!records[0].has(InotifyRecord.left))
  }

  @Test func `a record that is cut off is left out, wherever the cut is`() {
    let whole = record(watch: 1, mask: 2, name: "a.lua", field: 16)
    let two = whole + whole
    for count in 0..<two.count {
      let records = two.withUnsafeBytes {
        InotifyRecord.records(in: UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      #expect(records.count == count / whole.count)
    }
  }

  private func record(watch: Int32, mask: UInt32, name: String, field: Int) -> [UInt8] {
    var bytes = withUnsafeBytes(of: watch, Array.init) + withUnsafeBytes(of: mask, Array.init)
    bytes += [0, 0, 0, 0] + withUnsafeBytes(of: UInt32(field), Array.init)
    let padding = [UInt8](repeating: 0, count: max(0, field - name.utf8.count))
    return bytes + (Array(name.utf8) + padding).prefix(field)
  }
}
