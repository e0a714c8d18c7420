import MoonTerminal
import Moonwire

extension CompletionRequest {
  /// Proposes names of Lua: globals, and the names in the tables that they hold.
  func luaName() -> Completion {
    let begin = LuaName.start(in: before)
    let word = String(decoding: before[begin...], as: UTF8.self)
    guard let name = LuaName(word, endingOperand: LuaName.followsOperand(begin, in: before)),
      let known = name.names(in: snapshot.luaNames)
    else { return .none }
    let candidates = known.compactMap { key, value -> Completion.Candidate? in
      guard case .string(let text) = key, text.string.hasPrefix(name.typed) else { return nil }
      let note = value.mapValue.map { Wording.counted($0.count, "name") } ?? value.stringValue
      return Completion.Candidate(name.stem + text.string, note: note)
    }
    return Completion(replaceFrom: begin, candidates: Array(candidates.prefix(Self.childCountMax)))
  }
}

/// An unfinished name of Lua, such as `moon.nav.pu`.
struct LuaName {
  /// The finished part with the dot or colon after it: `moon.nav.`.
  let stem: String
  /// The part to complete.
  let typed: String

  /// Splits a word; nil if it can't be such a name.
  ///
  /// `endingOperand` says that the word continues an expression whose value isn't known.
  init?(_ word: String, endingOperand: Bool) {
    let cut = word.lastIndex { $0 == "." || $0 == ":" }
    typed = cut.map { String(word[word.index(after: $0)...]) } ?? word
    stem = cut.map { String(word[...$0]) } ?? ""
    if endingOperand || typed.first?.isNumber == true { return nil }
    if stem.hasPrefix(".") || stem.hasPrefix(":") || stem.contains("..") { return nil }
  }

  /// Returns the names in the table that the stem refers to; nil if there is none.
  func names(in all: Map) -> Map? {
    var names = all
    for step in stem.split(whereSeparator: { $0 == "." || $0 == ":" }) {
      guard case .map(let inner)? = names[.string(Text(String(step)))] else { return nil }
      names = inner
    }
    return names
  }

  /// Returns the start of the word at the end of a line.
  static func start(in bytes: [UInt8]) -> Int {
    var start = bytes.count
    while start > 0, isName(bytes[start - 1]) { start -= 1 }
    return start
  }

  /// Returns whether a bracket or quote precedes a word directly, as in `f().x`.
  static func followsOperand(_ start: Int, in bytes: [UInt8]) -> Bool {
    guard start > 0, start < bytes.count else { return false }
    return ")]}\"'".utf8.contains(bytes[start - 1])
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
      || (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}
