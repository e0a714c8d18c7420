/// What the text of a script alone shows that may be a mistake, and the comments that say that
/// something is none.
package struct SourceRemarks: Sendable {
  /// A local that no code reads, or that hides another one.
  package struct DoubtfulLocal: Sendable {
    /// The reason that it may be a mistake.
    package enum Reason: Sendable, Equatable {
      case unread
      /// It hides the local of that name on a line.
      case hiding(line: Int)
    }

    package let name: String
    package let reason: Reason
    package let line: Int
    /// The column, from 1; nil in a very long line.
    package let column: Int?
  }

  /// A comment `-- moonwire: ignore CODE`.
  package struct IgnoreComment: Sendable {
    package let codes: [String]
    package let line: Int
    package let column: Int?
    /// Whether nothing else is on the line, so that it is about the next.
    package let isAlone: Bool
  }

  /// The maximum number of remarks of each sort that are kept for one file.
  static let countMax = 1_000

  package let locals: [DoubtfulLocal]
  package let ignores: [IgnoreComment]

  private static let ignoring = Array(" moonwire: ignore ".utf8)

  /// Reads the text of a script that compiles.
  ///
  /// - Complexity: O(n)
  package init(_ source: [UInt8]) {
    var comments: [(bytes: ArraySlice<UInt8>, line: Int)] = []
    var scanner = LuaTokens(source)
    scanner.comment = { bytes, line in
      if bytes.starts(with: Self.ignoring) { comments.append((bytes, line)) }
    }
    var tokens: [LuaTokens.Token] = []
    while let token = scanner.next() { tokens.append(token) }
    let scopes = LuaScopes(tokens)
    let unread = scopes.unused.map { ($0.token, DoubtfulLocal.Reason.unread) }
    let hiding = scopes.shadows.map {
      ($0.local, DoubtfulLocal.Reason.hiding(line: $0.hidden.line))
    }
    locals = (unread + hiding).prefix(Self.countMax).map { token, reason in
      DoubtfulLocal(
        name: String(decoding: token.bytes, as: UTF8.self), reason: reason, line: token.line,
        column: SourceColumn.of(token.bytes.startIndex, in: source))
    }
    ignores = comments.prefix(Self.countMax).map { bytes, line in
      let codes = bytes.dropFirst(Self.ignoring.count).split { " ,\r".utf8.contains($0) }
      let start = bytes.startIndex - 2
      return IgnoreComment(
        codes: codes.map { String(decoding: $0, as: UTF8.self) }, line: line,
        column: SourceColumn.of(start, in: source),
        isAlone: SourceColumn.beginsLine(start, in: source))
    }
  }
}

/// The columns of places in a text.
enum SourceColumn {
  /// The maximum number of bytes of a line before a place whose column is counted.
  static let byteCountMax = 1_000

  /// Returns the column of a byte, from 1, counting characters as Unicode does; nil if it is far.
  static func of(_ index: Int, in source: [UInt8]) -> Int? {
    var column = 1
    for before in source[..<min(index, source.count)].reversed().prefix(byteCountMax + 1) {
      if before == UInt8(ascii: "\n") { return column }
      if before & 0xC0 != 0x80 { column += 1 }
    }
    return index <= byteCountMax ? column : nil
  }

  /// Returns whether nothing but space is before a byte in its line.
  static func beginsLine(_ index: Int, in source: [UInt8]) -> Bool {
    for before in source[..<min(index, source.count)].reversed().prefix(byteCountMax) {
      if before == UInt8(ascii: "\n") { return true }
      if before != UInt8(ascii: " "), before != UInt8(ascii: "\t") { return false }
    }
    return index <= byteCountMax
  }
}
