import Foundation
import MoonTestSupport
import Testing

/// The man page that `scripts/manual` makes of the command's description of itself.
@Suite(.ownThread, .enabled(if: Program.has("python3"))) struct ManualTests {
  private static func page() throws -> String {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "scripts/manual")
    let made = try Program.shell(
      "\(Program.executable.path) --experimental-dump-help | \(script.path) 1.2.3")
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    return made.output
  }

  @Test func `it has every subcommand and every option`() throws {
    let page = try Self.page()
    let help = try Program.run(["--help"]).output
    let subcommands = help.components(separatedBy: "SUBCOMMANDS:").last ?? ""
    let names = subcommands.matches(of: /(?m)^  (\w+)(?: \(default\))? {2,}/).map { String($0.1) }
    #expect(names.count >= 7)
    for name in names {
      #expect(page.contains(".SS \\fBmoonwire \(name)\\fR"), "\(name)")
      let options = try Program.run([name, "--help"]).output.matches(of: /(?m)^  (--[a-z-]+)/)
      for option in options.map({ String($0.1) }) where option != "--help" {
        #expect(page.contains("\\fB\(option.replacing("-", with: "\\-"))\\fR"), "\(option)")
      }
    }
  }

  @Test(.enabled(if: Program.has("man"))) func `man has nothing to complain about`() throws {
    let folder = try ScriptFolder()
    try folder.save("moonwire.1", Self.page())
    let read = try Program.shell("man --warnings --local-file \(folder.path("moonwire.1"))")
    #expect(read.errors.isEmpty && read.output.contains("MOONWIRE(1)"), "\(read)")
  }
}
