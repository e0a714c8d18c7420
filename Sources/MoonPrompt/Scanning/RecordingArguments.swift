import MoonJournal
import MoonTerminal
import Moonwire

/// A recording to make, as it is typed: a file, and what it leaves out, such as
/// `bug.jsonl redact=auth.token`.
struct RecordingArguments: Equatable {
  /// The name of the only option.
  private static let option = "redact"

  /// The path of the file.
  let path: String
  /// The paths into the state of what is left out.
  let redacted: [Path]

  /// Reads the rest of a line.
  ///
  /// - Throws: ``PromptLineError`` if there is no file, if a path can't be left out, or if a word
  ///   looks like another option, which would be taken for a part of the file's name.
  init(parsing scanner: PromptScanner, for manual: CommandManual) throws(PromptLineError) {
    let parts = scanner.trimmedRest.split(
      separator: /\s+redact=/, omittingEmptySubsequences: false
    ).map(String.init)
    path = parts[0]
    guard !path.isEmpty, !path.hasPrefix("\(Self.option)=") else {
      throw scanner.error(.missingArgument(manual))
    }
    for word in path.split(whereSeparator: \.isWhitespace) {
      guard let name = Self.optionName(word) else { continue }
      let distance = path.utf8.distance(from: path.startIndex, to: word.startIndex)
      throw scanner.error(
        .unknownOption(
          String(word), nearest: Spelling.nearest(to: name.lowercased(), in: [Self.option])),
        at: scanner.offset + distance)
    }
    var redacted: [Path] = []
    for text in parts.dropFirst() {
      guard let path = try? Path(parsing: text), path.components.count > 1 else {
        throw scanner.error(.notARedaction(text))
      }
      redacted.append(path)
    }
    self.redacted = redacted
  }

  /// Returns the name in a word such as `name=value` or `--name`; nil for another word.
  private static func optionName(_ word: Substring) -> Substring? {
    if word.hasPrefix("--") { return word.dropFirst(2).prefix { $0 != "=" } }
    guard let end = word.firstIndex(of: "=") else { return nil }
    let name = word[..<end]
    return name.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) } ? name : nil
  }

  /// Creates the file.
  ///
  /// - Throws: ``JournalError``
  func makeFile() throws(JournalError) -> RecordingFile {
    try RecordingFile(path, redaction: Redaction(redacted))
  }
}
