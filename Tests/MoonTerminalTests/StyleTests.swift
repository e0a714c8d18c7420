import MoonTerminal
import Testing

struct StyleTests {
  private static let cases: [(Style.ColorMode, Style.Target, [String: String], Bool)] = [
    (.always, .other, ["NO_COLOR": "1", "TERM": "dumb"], true),
    (.never, .terminal, ["FORCE_COLOR": "1", "TERM": "xterm"], false),
    (.auto, .terminal, ["TERM": "xterm"], true),
    (.auto, .terminal, ["TERM": "dumb"], false),
    (.auto, .terminal, ["TERM": ""], false),
    (.auto, .terminal, [:], false),
    (.auto, .other, ["TERM": "xterm"], false),
    (.auto, .terminal, ["TERM": "xterm", "NO_COLOR": "1"], false),
    (.auto, .terminal, ["TERM": "xterm", "NO_COLOR": "0"], false),
    (.auto, .terminal, ["TERM": "xterm", "NO_COLOR": ""], true),
    (.auto, .other, ["FORCE_COLOR": "1"], true),
    (.auto, .other, ["FORCE_COLOR": "0"], false),
    (.auto, .other, ["FORCE_COLOR": ""], false),
    (.auto, .other, ["CLICOLOR_FORCE": "1", "TERM": "dumb"], true),
    (.auto, .other, ["CLICOLOR_FORCE": "0"], false),
    (.auto, .terminal, ["FORCE_COLOR": "1", "NO_COLOR": "1"], true),
    (.auto, .terminal, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true),
    (.auto, .terminal, ["FORCE_COLOR": "0", "TERM": "xterm"], true),
  ]

  @Test(arguments: cases.indices)
  func `flag, then force, then NO_COLOR, then terminal decide`(index: Int) {
    let (mode, target, environment, hasColors) = Self.cases[index]
    #expect(Style(mode, target: target, environment: environment).hasColors == hasColors)
  }

  @Test(arguments: Style.Role.allCases)
  func `painting adds no columns and ends what it begins`(role: Style.Role) {
    let painted = Style(.always, target: .other, environment: [:]).paint("日本", role)
    #expect(painted.hasPrefix("\u{1B}["))
    #expect(painted.hasSuffix("m日本\u{1B}[0m"))
    #expect(TerminalText.width(of: painted) == 4)
    #expect(Style.plain.paint("日本", role) == "日本")
  }

  @Test func `nothing is painted as nothing`() {
    #expect(Style(.always, target: .other, environment: [:]).paint("", .error).isEmpty)
  }

  @Test func `a terminal is recognised`() throws {
    let terminal = try PseudoTerminal(columns: 80, rows: 24)
    #expect(Style.Target(descriptor: terminal.slave) == .terminal)
    #expect(Style.Target(descriptor: -1) == .other)
  }
}
