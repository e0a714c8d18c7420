import Glibc

/// The colours of printed text.
package struct Style: Sendable, Equatable {
  /// The user's choice of colours.
  package enum ColorMode: String, Sendable, CaseIterable {
    /// The environment decides.
    case auto
    /// Text is coloured for every target.
    case always
    /// Text is never coloured.
    case never
  }

  /// The role of a piece of text, which determines its colour.
  package enum Role: Sendable, CaseIterable {
    /// A success.
    case good
    /// Something that needs attention.
    case warning
    /// A failure.
    case error
    /// Text that is less important than the text around it.
    case dim
    /// Text that is more important than the text around it.
    case emphasis
    /// Text that is stressed, in italics.
    case italic
    /// The key of a table.
    case key
    /// A string value.
    case string
    /// A number.
    case number
    /// The prompt of an editor.
    case prompt
  }

  /// The destination of text.
  package enum Target: Sendable {
    /// A terminal, which shows colours.
    case terminal
    /// A file, a pipe or a program.
    case other

    /// Determines the target behind a file descriptor.
    package init(descriptor: Int32) {
      self = isatty(descriptor) == 1 ? .terminal : .other
    }
  }

  /// A style without colours.
  package static let plain = Style(.never, target: .other, environment: [:])

  /// Whether text is coloured.
  package let hasColors: Bool

  /// Decides whether text is coloured.
  ///
  /// `mode` decides unless it is ``ColorMode/auto``. Then `FORCE_COLOR` or `CLICOLOR_FORCE`
  /// switches colours on, unless it is empty or `0`. Otherwise `NO_COLOR` switches them off, unless
  /// it is empty (no-color.org). Otherwise text is coloured on a terminal whose `TERM` is neither
  /// empty nor `dumb`.
  package init(_ mode: ColorMode, target: Target, environment: [String: String]) {
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

  /// Returns `text` in the colours of `role`; unchanged if it is empty or there are no colours.
  ///
  /// Painted texts must not be nested, since the end of the inner one ends the outer one too.
  package func paint(_ text: String, _ role: Role) -> String {
    guard hasColors, !text.isEmpty else { return text }
    return "\u{1B}[\(Self.parameters(of: role))m\(text)\u{1B}[0m"
  }

  /// Returns SGR parameters (ECMA-48 §8.3.117): the terminal's own eight colours, which fit its
  /// theme.
  private static func parameters(of role: Role) -> String {
    switch role {
    case .good: "32"
    case .warning: "33"
    case .error: "1;31"
    case .dim: "2"
    case .emphasis: "1"
    case .italic: "3"
    case .key: "36"
    case .string: "32"
    case .number: "35"
    case .prompt: "1;34"
    }
  }
}
