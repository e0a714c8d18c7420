import Testing

/// A Swift file with its tokens and declarations.
struct ParsedFile: CustomTestStringConvertible, Sendable {
  let source: SourceFile
  let tokens: [SwiftTokens.Token]
  let declarations: SwiftDeclarations

  /// The Swift files of all targets.
  static let sources = SourceFile.all(under: "Sources").map(ParsedFile.init)

  init(_ source: SourceFile) {
    self.source = source
    let tokens = SwiftTokens(of: source.text)
    self.tokens = tokens.all
    declarations = SwiftDeclarations(of: tokens)
  }

  var testDescription: String { source.path }

  /// Returns the type that a line belongs to, or the file's path if there is none.
  func owner(of line: Int) -> String { declarations.type(at: line) ?? source.path }
}
