import ArgumentParser
import MoonAuthoring
import MoonPrompt
import MoonTerminal
import Moonwire

/// Explains a code of `moonwire check`.
struct ExplainSubcommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explains a code of moonwire check.",
    discussion: """
      Prints what the code stands for, an example, and what to do about it. Without a code, lists \
      all of them. The exit code is 64 if there is no such code.
      """)

  @Argument(
    help: "The code, such as unused_local.", completion: .list(CheckCode.allCases.map(\.rawValue)))
  var code: String?

  func run() async throws {
    let output = TerminalOutput(
      editor: nil, color: .auto, environment: ProcessEnvironment.variables)
    let explanations = CodeExplanations(Guide.named("Problems")?.text ?? "")
    guard let code else {
      return output.printResult(
        CheckCode.allCases.map { "\($0.rawValue)  \($0.severity.rawValue)" })
    }
    guard let known = CheckCode(rawValue: code), let text = explanations[known] else {
      let names = CheckCode.allCases.map(\.rawValue)
      output.printNotice(
        Report("there is no code '\(TerminalText.singleLine(code))'").adding(
          .suggestion(Spelling.nearest(to: code.replacing("-", with: "_"), in: names))
            ?? .init("help", "moonwire explain lists all")))
      throw ExitCode(ExitStatus.usageError)
    }
    let markdown = MarkdownText(output.resultStyle, columns: output.columns) { name in
      Guide.named(name).map { "moonwire help \($0.name)" } ?? name
    }
    output.printResult(markdown.lines(text))
  }
}
