import ArgumentParser
import Glibc
import MoonPrompt
import MoonStage
import MoonTerminal

/// The options of what is shown on the whole terminal.
struct StageOptions: ParsableArguments {
  @Flag(help: "Print one picture of the app on standard output, and end.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "The size of the picture, as columns and rows.", valueName: "columns x rows"))
  var size = "80x24"

  @Flag(help: "Print the picture as a piece of HTML.")
  var html = false

  @Flag(help: "Leave the mouse to the terminal, which can then select text.")
  var noMouse = false

  @Flag(
    inversion: .prefixedNo,
    help: ArgumentHelp(
      "Show images, by the graphics protocol of kitty. Without the option, they are shown where "
        + "the terminal is known to have it: kitty, Ghostty or WezTerm."))
  var images: Bool?

  @Option(help: "When to use colours: auto, always or never. auto respects NO_COLOR.")
  var color = ColorOption.auto

  @Option(
    help: ArgumentHelp(
      "A host config of Adaptive Cards with the colours of the stage, instead of "
        + "moonwire/theme.json among your configuration files.", valueName: "file"),
    completion: .file())
  var theme: String?

  /// Whether the terminal has the graphics protocol of kitty.
  private static func hasImages(_ environment: [String: String]) -> Bool {
    switch environment["TERM"] {
    case "xterm-kitty", "xterm-ghostty", "wezterm": true
    // Within tmux, the program is tmux.
    default: ["ghostty", "WezTerm"].contains(environment["TERM_PROGRAM"])
    }
  }

  /// The maximum number of columns and rows of a picture.
  private static let sizeMax = 1_000

  private var pictureSize: (columns: Int, rows: Int)? {
    let parts = size.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1],
      1...Self.sizeMax ~= columns, 1...Self.sizeMax ~= rows
    else { return nil }
    return (columns, rows)
  }

  func validate() throws {
    guard pictureSize != nil else {
      throw ValidationError(
        "--size '\(size)': write columns and rows, such as 80x24, at most 1000 of each")
    }
    if html, !once { throw ValidationError("--html is for --once") }
  }

  /// The reason that there is nothing to show an app on.
  enum Problem: Error {
    case terminal(StageTerminal.Problem)
    case theme(StageTheme.Problem)

    var report: Report {
      switch self {
      case .terminal(let problem): problem.report
      case .theme(let problem): problem.report
      }
    }
  }

  /// What shows the app.
  ///
  /// - Throws: ``Problem``
  func face(_ environment: [String: String]) throws(Problem) -> StageFace {
    if once, let (columns, rows) = pictureSize {
      return StageFace(.picture(columns: columns, rows: rows, isHTML: html))
    }
    var options = StageRun.Options(
      input: STDIN_FILENO, output: STDOUT_FILENO, type: environment["TERM"] ?? "")
    do throws(StageTerminal.Problem) {
      try StageTerminal.check(options)
    } catch {
      throw .terminal(error)
    }
    do throws(StageTheme.Problem) {
      options.theme = try StageTheme(named: theme, in: environment)
    } catch {
      throw .theme(error)
    }
    options.hasMouse = !noMouse
    options.hasImages = images ?? Self.hasImages(environment)
    options.hasColors =
      Style(color.mode, target: .terminal, environment: environment).hasColors
    return StageFace(.terminal(options))
  }
}
