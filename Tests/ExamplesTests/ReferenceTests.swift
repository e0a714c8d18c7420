import Foundation
import MoonTestSupport
import Testing

/// The reference lists everything that the program offers.
@Suite(.ownThread) struct ReferenceTests {
  @Test(arguments: [
    ("moon", "MoonLibrary", "`moon.WORD"), ("moon.nav", "MoonLibrary", "`WORD"),
    ("moon.ui", "Elements", "`ui.WORD"),
  ])
  func `every word of Lua's is in the reference`(
    table: String, name: String, form: String
  ) throws {
    // Reading a word of the first table loads the part that it belongs to.
    let (output, code) = try Command.run(
      ["run", "--no-watch", ExamplesTests.folder.appending(path: "counter").path],
      input: "= moon.redirect, moon.ui\n= for name in pairs(\(table)) do print(name) end\n")
    let words = output.split(separator: "\n").filter { $0.wholeMatch(of: /[a-z_]+/) != nil }
    #expect(words.count >= 10 && code == 0, "\(output)")
    let page = try #require(Page.named(name))
    for word in words {
      let wanted = try Regex(form.replacing("WORD", with: word) + "[^a-z_]")
      #expect(page.text.contains(wanted), "\(table).\(word)")
    }
  }

  @Test func `every command of the prompt is in the reference`() throws {
    let (output, code) = try Command.run(
      ["run", "--no-watch", ExamplesTests.folder.appending(path: "counter").path],
      input: ":help\n")
    let commands = output.matches(of: /(?m)^(:\w+.*?) {2,}/).map { String($0.1) }
    #expect(commands.count > 10 && code == 0)
    let page = try #require(Page.named("ThePrompt"))
    for command in commands {
      #expect(page.text.contains("| `\(command.replacing("|", with: "\\|"))` |"), "\(command)")
    }
  }

  @Test(arguments: [["run"], ["check"], ["routes"], ["routes", "match"]])
  func `every option of the command is in the reference`(subcommand: [String]) throws {
    let (output, code) = try Command.run(subcommand + ["--help"])
    let options = output.matches(of: /(?m)^  (--[a-z-]+)/).map { String($0.1) }
    #expect(code == 0)
    let page = try #require(Page.named("TheCommand"))
    for option in options where !["--help", "--version"].contains(option) {
      #expect(page.text.contains("| `\(option)"), "\(option)")
    }
  }

  @Test func `every exit code that the command tells is in the reference`() throws {
    let help = try Command.run(["--help"]).output.split(separator: "\n").joined(separator: " ")
    let told = try #require(help.firstMatch(of: /Exit codes: (.*?) +USAGE/)).1
    let codes = told.matches(of: /\b\d+\b/).map { String($0.0) }
    let page = try #require(Page.named("ExitCodes"))
    let rows = page.text.matches(of: /(?m)^\| ([\d, ]+) \|/).flatMap {
      $0.1.split(separator: ", ").map(String.init)
    }
    #expect(codes.count > 8 && rows == codes)
  }
}
