import Foundation
import MoonTerminal
import Testing

@testable import MoonPrompt

/// Properties of every command of the prompt.
struct PromptCommandsTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/MoonPrompt/Commands")

  /// Whether a file has a command, rather than what commands have in common.
  private static func isCommand(_ file: String) -> Bool {
    !["ModuleCommand.swift", "PromptCommand.swift", "PromptCommands.swift"].contains(file)
  }

  @Test func `each file of a command is listed, and each name leads to one command`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    #expect(PromptCommands.all.map { "\($0).swift" }.sorted() == files.filter(Self.isCommand))
    let names = PromptCommands.manuals.flatMap { [$0.name] + $0.aliases }
    #expect(Set(names).count == names.count)
    for command in PromptCommands.all {
      for name in [command.manual.name] + command.manual.aliases {
        #expect(PromptCommands.named(name).map { $0.manual } == command.manual)
      }
    }
  }

  @Test(arguments: PromptCommands.manuals)
  func `a command says what it does and how it is written`(manual: CommandManual) throws {
    #expect(manual.summary.count > 8)
    #expect(manual.usage.hasPrefix(":\(manual.name)"))
    let one = HelpCommand.Answer(topic: manual).lines(.plain)
    #expect(one.first == "\(manual.usage)  \(manual.summary)")
    let all = HelpCommand.Answer(topic: nil).lines(.plain)
    #expect(all.contains { $0.hasPrefix(manual.usage) && $0.hasSuffix(manual.summary) })
    guard let example = manual.example else { return }
    #expect(one.last == "  for example  \(example)")
    // The example is a line that can be typed.
    guard case .command(let command) = try PromptLine(parsing: example) else {
      Issue.record("\(example) is no command")
      return
    }
    #expect(type(of: command).manual == manual)
  }

  @Test(arguments: PromptCommands.manuals.filter { $0.arguments.isEmpty })
  func `a command without arguments refuses them`(manual: CommandManual) {
    let error = PromptLineError(
      reason: .unexpectedArgument(manual), column: manual.name.count + 3)
    #expect(throws: error) { try PromptLine(parsing: ":\(manual.name) x") }
  }
}

extension CommandManual: CustomTestStringConvertible {
  var testDescription: String { name }
}
