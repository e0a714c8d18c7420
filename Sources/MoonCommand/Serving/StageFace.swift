import Glibc
import MoonPrompt
import MoonProtocol
import MoonStage
import MoonTerminal
import Moonwire
import Synchronization

/// The face of a host that a person sees on the whole terminal, or as one picture.
final class StageFace: Sendable {
  /// What is shown of the app.
  enum Showing: Sendable {
    case terminal(StageRun.Options)
    /// One picture, on standard output.
    case picture(columns: Int, rows: Int, isHTML: Bool)
  }

  private struct Contents {
    var run: StageRun?
  }

  private let showing: Showing
  private let contents = Mutex(Contents())

  init(_ showing: Showing) { self.showing = showing }

  /// Whether the terminal is the stage's.
  var isShown: Bool { contents.withLock { $0.run != nil } }

  /// The output of what the host prints: the stage shows it while it has the terminal.
  var output: TerminalOutput {
    let columns = TerminalSize.columns(of: STDERR_FILENO)
    return TerminalOutput(
      on: DistantTerminal(columns: columns) { [self] text, _ in
        if let run = contents.withLock({ $0.run }) { return run.print(text) }
        try? Output(descriptor: STDERR_FILENO).write(text + "\n")
      })
  }

  /// Shows the app of a host in this program.
  ///
  /// - Throws: ``StageTerminal/Problem``
  func serve(_ server: ProtocolServer) async throws(StageTerminal.Problem) {
    try await show(StageHost(server))
  }

  /// Shows the app of a host until the person leaves.
  ///
  /// - Throws: ``StageTerminal/Problem``
  func show(_ host: StageHost) async throws(StageTerminal.Problem) {
    defer { host.close() }
    switch showing {
    case .terminal(let options):
      let run = StageRun(host, options)
      contents.withLock { $0.run = run }
      defer { contents.withLock { $0.run = nil } }
      try await run.run()
    case .picture(let columns, let rows, let isHTML):
      let picture = await StageRun.picture(of: host, columns: columns, rows: rows)
      let text = isHTML ? picture.html : picture.text
      try? Output(descriptor: STDOUT_FILENO).write(text + "\n")
    }
  }

  /// Gives the terminal back.
  func end() { contents.withLock { $0.run }?.end() }
}

extension StageTerminal.Problem {
  /// The report for people.
  var report: Report {
    switch self {
    case .notATerminal:
      Report(
        "the stage needs a terminal for its input and output",
        rows: [.init("help", "--once prints one picture; moonwire run reads lines from a pipe")])
    case .unknownType(let type) where type.isEmpty:
      Report(
        "TERM isn't set, so it isn't known what the terminal can do",
        rows: [.init("help", "set it, such as TERM=xterm-256color; moonwire run works without")])
    case .unknownType(let type):
      Report(
        "the system doesn't know terminals of the type \(TerminalText.singleLine(type))",
        rows: [.init("help", "set another one, such as TERM=xterm-256color")])
    case .plainType(let type):
      Report(
        "a terminal of the type \(TerminalText.singleLine(type)) can't move its cursor",
        rows: [
          .init("help", "use moonwire run there; or set what it is, such as TERM=xterm-256color")
        ])
    case .resources: Report("the system has no memory or descriptors left for the stage")
    }
  }
}

extension StageTheme.Problem {
  /// The report for people.
  var report: Report {
    switch self {
    case .system(let error, let path):
      Report(
        "the theme \(TerminalText.singleLine(path)) can't be read", detail: "\(error)")
    case .malformed(let error, let path):
      Report("the theme \(TerminalText.singleLine(path)) isn't JSON", detail: "\(error)")
    case .wrong(let place, let expected, let path):
      Report(
        "the theme \(TerminalText.singleLine(path)) can't be used",
        detail: "\(place) must be \(expected)")
    }
  }
}
