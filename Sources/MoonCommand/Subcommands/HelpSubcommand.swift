import ArgumentParser
import Glibc
import MoonPrompt
import MoonTerminal
import Moonwire

/// Shows the help of subcommands, and the guides.
struct HelpSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "help", abstract: "Shows the help of a subcommand, or a guide.",
    discussion: """
      `moonwire help` lists both. A guide is shown in the program that PAGER names, or else in \
      less; as plain text if standard output isn't a terminal.
      """)

  @Argument(
    help: ArgumentHelp(
      "A subcommand such as routes match, or a guide such as writing-modules.", valueName: "topic"))
  var topic: [String] = []

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  func run() async throws {
    let environment = ProcessEnvironment.variables
    let output = TerminalOutput(editor: nil, color: color.mode, environment: environment)
    let pager = Pager(output, environment)
    let style = output.resultStyle
    if topic.isEmpty {
      return output.printResult(
        MoonCommand.helpMessage().split(separator: "\n", omittingEmptySubsequences: false)
          .map(String.init) + ["", "GUIDES:"] + Self.list(columns: output.columns))
    }
    if let command = Self.subcommand(topic) {
      output.printResult([MoonCommand.helpMessage(for: command)])
      if let guide = Guide.named(topic.joined()) {
        output.printNotice("the guide of that name: moonwire help \(guide.name)")
      }
      return
    }
    guard let guide = Guide.named(topic.joined()) else {
      output.printNotice(Self.report(topic.joined(separator: " ")))
      throw ExitCode(ExitStatus.usageError)
    }
    let text = MarkdownText(style, columns: output.columns) { name in
      Guide.named(name).map { "moonwire help \(Self.word(for: $0))" } ?? name
    }
    pager.show(text.lines(guide.text))
  }

  /// Returns the subcommand that words name exactly; nil if they don't.
  private static func subcommand(_ words: [String]) -> (any ParsableCommand.Type)? {
    var found: any ParsableCommand.Type = MoonCommand.self
    for word in words {
      guard
        let next = found.configuration.subcommands.first(where: {
          $0.configuration.commandName == word
        })
      else { return nil }
      found = next
    }
    return found
  }

  /// Returns what is typed for a guide, also for one whose topic is a subcommand.
  private static func word(for guide: Guide) -> String {
    subcommand([guide.topic]) == nil ? guide.topic : guide.name
  }

  /// Returns a line for each guide.
  private static func list(columns: Int) -> [String] {
    let width = (Guide.all.map { word(for: $0).count }.max() ?? 0) + 2
    return Guide.all.sorted { $0.topic < $1.topic }.map { guide in
      let word = word(for: guide)
      let name = word + String(repeating: " ", count: width - word.count)
      return TerminalText.clipped("  \(name)\(guide.abstract)", to: columns)
    } + ["", "  See 'moonwire help <guide>' for one of them."]
  }

  private static func report(_ topic: String) -> Report {
    let names = MoonCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    let nearest = Spelling.nearest(to: topic, in: names + Guide.all.map(\.topic))
    // A part of a name is further from it than a misspelt one.
    let near = nearest ?? Guide.all.map(\.topic).first { topic.count > 2 && $0.contains(topic) }
    return Report(
      "there is no subcommand or guide \(topic)",
      rows: near.map { [.init("help", "did you mean moonwire help \($0)?")] }
        ?? [.init("help", "moonwire help lists all")])
  }
}
