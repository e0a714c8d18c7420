/// The words in the quoted texts of scripts, which may be names of modules: `cart` and `add` of
/// `"cart/add"`.
package enum QuotedWords {
  /// The maximum number of words of one file.
  static let countMax = 10_000

  /// Returns the words of a script.
  ///
  /// - Complexity: O(n)
  package static func all(in source: [UInt8]) -> Set<String> {
    var tokens = LuaTokens(source)
    var words: Set<ArraySlice<UInt8>> = []
    while let token = tokens.next(), words.count < countMax {
      if token.kind == .text {
        words.formUnion(token.bytes.split { !LuaTokens.isWord($0) })
      }
    }
    return Set(words.map { String(decoding: $0, as: UTF8.self) })
  }
}

extension Generation {
  /// The words in the quoted texts of the module's files.
  package var quotedWords: Set<String> {
    files.sources.values.reduce(into: []) { $0.formUnion(QuotedWords.all(in: $1.bytes)) }
  }
}
