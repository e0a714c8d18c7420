import Glibc

/// The colours of printed text.
public struct Style: Sendable, Equatable {
  /// What the user asked for.
  public enum ColorMode: String, Sendable, CaseIterable {
    /// Decide by the environment.
    case auto
    /// Colours wherever the text goes.
    case always
    /// No colours.
    case never
  }

  /// The role of a piece of text, which decides on its colour.
  public enum Role: Sendable, CaseIterable {
    /// Something that went well.
    case good
    /// Something to look at.
    case warning
    /// Something that went wrong.
    case error
    /// Something less important than its surroundings.
    case dim
    /// Something more important than its surroundings.
    case emphasis
    /// The key of a table.
    case key
    /// A string value.
    case string
    /// A number.
    case number
    /// The prompt of an editor.
    case prompt
  }

  /// What text is written to.
  public enum Target: Sendable {
    /// A terminal, which shows colours.
    case terminal
    /// A file, a pipe, a program.
    case other

    /// Looks at what is behind a file descriptor.
    public init(descriptor: Int32) {
      self = isatty(descriptor) == 1 ? .terminal : .other
    }
  }

  /// No colours.
  public static let plain = Style(.never, target: .other, environment: [:])

  /// Whether text is coloured.
  public let hasColors: Bool

  /// Decides: what `mode` says; in ``ColorMode/auto`` `FORCE_COLOR` or `CLICOLOR_FORCE` switch
  /// colours on unless empty or `0`, then `NO_COLOR` switches them off unless empty (no-color.org),
  /// then a terminal has them unless `TERM` is empty or `dumb`.
  public init(_ mode: ColorMode, target: Target, environment: [String: String]) {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    func isForced(_ name: String) -> Bool { isSet(name) && environment[name] != "0" }
    hasColors =
      switch mode {
      case .always: true
      case .never: false
      case .auto:
        if isForced("FORCE_COLOR") || isForced("CLICOLOR_FORCE") {
          true
        } else if isSet("NO_COLOR") {
          false
        } else {
          target == .terminal && isSet("TERM") && environment["TERM"] != "dumb"
        }
      }
  }

  /// `text` in the colours of `role`; `text` itself without colours or when it is empty.
  ///
  /// Painted texts must not be nested: the end of the inner one ends the outer one.
  public func paint(_ text: String, _ role: Role) -> String {
    guard hasColors, !text.isEmpty else { return text }
    return "\u{1B}[\(Self.parameters(of: role))m\(text)\u{1B}[0m"
  }

  /// SGR parameters (ECMA-48 §8.3.117): the terminal's own eight colours, to fit its theme.
  private static func parameters(of role: Role) -> String {
    switch role {
    case .good: "32"
    case .warning: "33"
    case .error: "1;31"
    case .dim: "2"
    case .emphasis: "1"
    case .key: "36"
    case .string: "32"
    case .number: "35"
    case .prompt: "1;34"
    }
  }
}
