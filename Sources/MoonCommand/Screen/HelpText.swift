import MoonTerminal

/// The explanation of the prompt.
struct HelpText {
  let style: Style

  func lines(_ command: PromptCommand?) -> [String] {
    guard let command else { return overview }
    let example = Messages.example(of: command).map { ["  for example  \($0)"] } ?? []
    return [
      style.paint(Messages.usage(of: command), .key) + "  " + Messages.summary(of: command)
    ] + example
  }

  private var overview: [String] {
    Messages.help.map { row($0.usage, $0.summary) }
      + PromptCommand.allCases.map { row(Messages.usage(of: $0), Messages.summary(of: $0)) }
  }

  private func row(_ usage: String, _ summary: String) -> String {
    style.paint(usage, .key) + String(repeating: " ", count: max(2, 30 - usage.count)) + summary
  }
}
