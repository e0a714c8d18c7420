import MoonTerminal
import Testing

@testable import MoonCards

struct ColumnWidthsTests {
  @Test func `no character is narrower than the terminal has it`() {
    var narrower: [UInt32] = []
    var count = 0
    for value in UInt32(0x20)...0x3FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      switch scalar.properties.generalCategory {
      case .unassigned, .privateUse, .control: continue
      default: break
      }
      count += 1
      let text = String(scalar)
      if ColumnWidths.width(of: text) < TerminalText.width(of: text) { narrower.append(value) }
    }
    #expect(narrower == [])
    // Guards against a run that checked nothing.
    #expect(count > 100_000)
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("e\u{301}", 1), ("日本", 4), ("👩‍👩‍👧", 6), ("☑", 1), ("☑\u{FE0F}", 2),
    ("🇩🇪", 2), ("\u{AD}", 1), ("ﾊ", 1), ("ハ", 2), ("각", 2),
  ])
  func `a text is as wide as its characters`(text: String, width: Int) {
    #expect(ColumnWidths.width(of: text) == width)
  }
}
