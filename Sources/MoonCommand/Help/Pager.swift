import Glibc
import MoonPrompt
import MoonTerminal

/// Shows a long text: in the person's pager on a terminal, and otherwise as it is.
struct Pager {
  private let environment: [String: String]
  private let output: TerminalOutput

  init(_ output: TerminalOutput, _ environment: [String: String]) {
    self.output = output
    self.environment = environment
  }

  /// The command that shows a text; nil if none is wanted or there.
  private var command: String? {
    guard isatty(STDOUT_FILENO) == 1, isatty(STDIN_FILENO) == 1 else { return nil }
    if let named = environment["PAGER"] { return named.isEmpty ? nil : named }
    guard environment["TERM"].map({ $0 != "dumb" && !$0.isEmpty }) ?? false else { return nil }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }

  /// Shows lines, and waits until the person has read them.
  func show(_ lines: [String]) {
    guard let command else { return output.printResult(lines) }
    // Colours, and no pages for what fits the screen.
    setenv("LESS", environment["LESS"] ?? "FRX", 1)
    guard let pager = popen(command, "w") else { return output.printResult(lines) }
    // Ctrl-C is for the pager.
    let before = signal(SIGINT, SIG_IGN)
    let text = lines.joined(separator: "\n") + "\n"
    let isShown = fputs(text, pager) >= 0
    let status = pclose(pager)
    signal(SIGINT, before)
    // The shell's code for a command that it can't find or run.
    if !isShown || status >> 8 == 126 || status >> 8 == 127 { output.printResult(lines) }
  }
}
