import Moonwire

/// What somebody typed into an input: its name, and the text.
struct FilledText: Equatable, Sendable {
  let name: String
  let text: String
}

/// Reading the commands that are about URLs and screens.
extension PromptLine {
  /// Reads what stands behind one of these commands; nil for the other commands.
  static func navigation(
    _ command: PromptCommand, _ argument: String, _ scanner: PromptScanner
  ) throws(PromptLineError) -> PromptLine? {
    switch command {
    case .screen: return .screen(argument.isEmpty ? nil : argument)
    case .routes: return .routes(argument.isEmpty ? nil : Text(argument))
    case .tap:
      guard !argument.isEmpty else { throw scanner.error(.missingArgument(command)) }
      return .tap(control(argument))
    case .input:
      var fields = PayloadScanner(scanner)
      let texts = try fields.texts()
      guard !texts.isEmpty else { throw scanner.error(.missingArgument(command)) }
      return .input(texts)
    case .open: return try open(scanner)
    case .back, .nav:
      guard argument.isEmpty else { throw scanner.error(.unexpectedArgument(command)) }
      return command == .back ? .back : .nav
    default: return nil
    }
  }

  private static func control(_ text: String) -> ScreenControl {
    if let number = Int(text) { return .number(number) }
    // A title that is a number can be quoted.
    if text.hasPrefix("\""), let title = (try? Value(parsing: text))?.stringValue {
      return .name(title)
    }
    return .name(text)
  }

  private static func open(_ before: PromptScanner) throws(PromptLineError) -> PromptLine {
    var scanner = before
    let url = scanner.word()
    guard !url.isEmpty else { throw before.error(.missingArgument(.open)) }
    scanner.skipSpace()
    let start = scanner.offset
    var payload = PayloadScanner(scanner)
    switch try payload.scan() {
    case .null: return .open(Text(url), Map())
    case .map(let parameters): return .open(Text(url), parameters)
    case let other: throw before.error(.notAField(other.canonicalText), at: start)
    }
  }
}
