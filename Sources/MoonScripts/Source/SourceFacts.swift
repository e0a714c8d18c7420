/// The facts about names that the text of a script shows, regardless of its execution.
struct SourceFacts {
  /// A name with the line of its first occurrence.
  struct Name: Hashable {
    let text: String
    /// The line, counted from 1.
    let line: Int
  }

  /// The texts in quotes.
  private(set) var quoted: Set<ArraySlice<UInt8>> = []
  /// The names in lines `-- moonwire: allow NAME`.
  private(set) var allowed: Set<String> = []
  /// The globals that are assigned, and those that are only read.
  private(set) var assigned: [Name] = []
  private(set) var read: [Name] = []
  /// The names of locals and parameters.
  private(set) var locals: Set<String> = []
  /// The fields of `state` that are read: `items` in `#state.items`.
  private(set) var stateReads: [Name] = []
  /// All names of fields that are assigned or appear in a table constructor.
  private(set) var fields: Set<String> = []
  /// The commands that are called by name: `todo/total` in `self.call("todo/total")`.
  private(set) var calls: [Name] = []
  /// The lines of functions that contain no `return`, and don't raise errors instead, if no other
  /// function begins there.
  private(set) var returnlessLines: Set<Int> = []
  /// Whether the script may create names of globals at run time.
  private(set) var hasDynamicGlobals = false
  /// Whether the script may create fields of the state at run time.
  private(set) var hasDynamicState = false

  /// The maximum number of names of each sort that are kept for one file.
  static let nameCountMax = 1_000

  init(_ source: [UInt8]) {
    var reader = SourceReader(source)
    reader.read()
    quoted = reader.quoted
    allowed = reader.allowed
    locals = Set(reader.locals.map(Self.text))
    fields = Set(reader.fields.map(Self.text))
    returnlessLines = reader.returnlessLines
    hasDynamicGlobals = reader.hasDynamicGlobals
    hasDynamicState = reader.hasDynamicState
    assigned = names(reader.found.assigned) { !locals.contains($0) }
    let written = Set(assigned.map(\.text))
    read = names(reader.found.reads) { !locals.contains($0) && !written.contains($0) }
    stateReads = names(reader.found.stateReads) { _ in true }
    calls = names(reader.found.calls) { _ in true }
  }

  private func names(
    _ places: [ArraySlice<UInt8>: Int], where isMeant: (String) -> Bool
  ) -> [Name] {
    let found = places.map { Name(text: Self.text($0.key), line: $0.value) }
      .filter { isMeant($0.text) }
      .sorted { ($0.line, $0.text) < ($1.line, $1.text) }
    return Array(found.prefix(Self.nameCountMax))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}

/// The reader of a script's tokens.
///
/// Names are classified by the tokens around them, not by scope. A name that is a local anywhere in
/// the file counts as a local everywhere.
private struct SourceReader {
  private enum Level {
    case braces, brackets, block
  }

  /// The names by their use, each with the line of its first occurrence.
  struct Found {
    var assigned: [ArraySlice<UInt8>: Int] = [:]
    var reads: [ArraySlice<UInt8>: Int] = [:]
    var stateReads: [ArraySlice<UInt8>: Int] = [:]
    var calls: [ArraySlice<UInt8>: Int] = [:]
  }

  private static let allowance = Array(" moonwire: allow ".utf8)

  var quoted: Set<ArraySlice<UInt8>> = []
  var allowed: Set<String> = []
  var found = Found()
  var locals: Set<ArraySlice<UInt8>> = []
  var fields: Set<ArraySlice<UInt8>> = []
  var returnlessLines: Set<Int> = []
  /// The number of functions that begin on a line.
  private var functionCounts: [Int: Int] = [:]
  var hasDynamicGlobals = false
  var hasDynamicState = false
  private var tokens: [LuaTokens.Token] = []
  private var levels: [Level] = []
  /// The functions around the current token, the innermost last.
  private var functions: [(line: Int, levelCount: Int, mayReturn: Bool)] = []

  init(_ source: [UInt8]) {
    var comments: [ArraySlice<UInt8>] = []
    var scanner = LuaTokens(source)
    scanner.comment = { if $0.starts(with: Self.allowance) { comments.append($0) } }
    while let token = scanner.next() { tokens.append(token) }
    for comment in comments {
      let words = comment.dropFirst(Self.allowance.count)
        .split { $0 == UInt8(ascii: " ") || $0 == 13 }
      allowed.formUnion(words.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  mutating func read() {
    var index = 0
    while index < tokens.count {
      index = take(index)
    }
    returnlessLines = returnlessLines.filter { functionCounts[$0] == 1 }
  }

  private func symbol(_ index: Int) -> UInt8? {
    guard tokens.indices.contains(index), tokens[index].kind == .symbol else { return nil }
    return tokens[index].bytes.count == 1 ? tokens[index].bytes.first : 0
  }

  private func isSymbol(_ text: StaticString, _ index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == .symbol else { return false }
    return text.withUTF8Buffer { tokens[index].bytes.elementsEqual($0) }
  }

  private func isWord(_ text: StaticString, _ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return false }
    return text.withUTF8Buffer { tokens[index].bytes.elementsEqual($0) }
  }

  private func isName(_ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .name
  }

  /// Processes a token and those that belong to it; returns the next index.
  private mutating func take(_ index: Int) -> Int {
    let token = tokens[index]
    switch token.kind {
    case .text: quoted.insert(token.bytes)
    case .number: break
    case .symbol: takeSymbol(token)
    case .keyword: return takeKeyword(index)
    case .name: takeName(index)
    }
    return index + 1
  }

  private mutating func takeSymbol(_ token: LuaTokens.Token) {
    switch token.bytes.first {
    case UInt8(ascii: "{"): levels.append(.braces)
    case UInt8(ascii: "("), UInt8(ascii: "["): levels.append(.brackets)
    case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): _ = levels.popLast()
    default: break
    }
  }

  private mutating func takeKeyword(_ index: Int) -> Int {
    if isWord("end", index) || isWord("until", index) {
      _ = levels.popLast()
      endFunction()
    } else if isWord("do", index) || isWord("if", index) || isWord("repeat", index) {
      levels.append(.block)
    } else if isWord("function", index) {
      let line = tokens[index].line
      functions.append((line, levels.count, false))
      functionCounts[line, default: 0] += 1
      levels.append(.block)
      return takeFunction(index)
    } else if isWord("local", index) || isWord("for", index) {
      return takeLocals(index + 1)
    } else if isWord("goto", index) {
      return index + 2
    } else if isWord("return", index) {
      noteReturn()
      if isWord("payload", index + 1), !isSymbol(".", index + 2) { hasDynamicState = true }
    }
    return index + 1
  }

  private mutating func noteReturn() {
    if !functions.isEmpty { functions[functions.count - 1].mayReturn = true }
  }

  private mutating func endFunction() {
    guard let function = functions.last, function.levelCount == levels.count else { return }
    functions.removeLast()
    if !function.mayReturn { returnlessLines.insert(function.line) }
  }

  /// Processes `local a <const>, b` and `for a, b`.
  private mutating func takeLocals(_ start: Int) -> Int {
    var index = start
    if isWord("function", index) {
      if isName(index + 1) { locals.insert(tokens[index + 1].bytes) }
      return index
    }
    while isName(index) {
      locals.insert(tokens[index].bytes)
      // The name may stand for any table then.
      if isWord("state", index) { hasDynamicState = true }
      index += 1
      if isSymbol("<", index) { index += 3 }
      guard isSymbol(",", index) else { break }
      index += 1
    }
    return index
  }

  /// Processes the name and the parameters of a function.
  private mutating func takeFunction(_ start: Int) -> Int {
    var index = start + 1
    if isName(index) {
      if isSymbol("(", index + 1) {
        if !isWord("local", start - 1) { note(index, in: \.assigned) }
      } else {
        note(index, in: \.reads)
        locals.insert(Array("self".utf8)[...])
      }
      while index < tokens.count, !isSymbol("(", index) { index += 1 }
    }
    guard isSymbol("(", index) else { return index }
    index += 1
    while index < tokens.count, !isSymbol(")", index) {
      if isName(index) { locals.insert(tokens[index].bytes) }
      index += 1
    }
    return index + 1
  }

  private mutating func takeName(_ index: Int) {
    if isWord("error", index) { noteReturn() }
    let isField = isSymbol(".", index - 1) || isSymbol(":", index - 1)
    let isAssigned = isSymbol("=", index + 1)
    if isField {
      if isAssigned { fields.insert(tokens[index].bytes) }
      takeStateField(index, isAssigned: isAssigned)
      takeCall(index)
    } else if isSymbol("::", index - 1) {
      return
    } else if isAssigned, levels.last == .braces,
      symbol(index - 1).map({ "{,;".utf8.contains($0) }) ?? false
    {
      fields.insert(tokens[index].bytes)
    } else if isWord("_G", index) || isWord("_ENV", index) {
      hasDynamicGlobals = true
    } else if isAssigned, levels.last != .brackets {
      noteAssigned(index)
    } else {
      note(index, in: \.reads)
      if isWord("state", index), symbol(index + 1) == UInt8(ascii: "[") { hasDynamicState = true }
    }
  }

  private mutating func takeStateField(_ index: Int, isAssigned: Bool) {
    guard !isAssigned, isSymbol(".", index - 1), isWord("state", index - 2),
      !isSymbol(".", index - 3)
    else { return }
    note(index, in: \.stateReads)
  }

  /// Processes `self.call("todo/total", …)` and `self.call "todo/total"`.
  private mutating func takeCall(_ index: Int) {
    guard isWord("call", index), isSymbol(".", index - 1), isWord("self", index - 2),
      !isSymbol(".", index - 3)
    else { return }
    let isOpened = isSymbol("(", index + 1)
    let name = index + (isOpened ? 2 : 1)
    guard tokens.indices.contains(name), tokens[name].kind == .text,
      !isOpened || isSymbol(",", name + 1) || isSymbol(")", name + 1)
    else { return }
    note(name, in: \.calls)
  }

  /// Processes `a, b = …`, from its last name.
  private mutating func noteAssigned(_ last: Int) {
    var index = last
    while true {
      note(index, in: \.assigned)
      guard isSymbol(",", index - 1), isName(index - 2), !isSymbol(".", index - 3) else { return }
      index -= 2
    }
  }

  private mutating func note(
    _ index: Int, in names: WritableKeyPath<Found, [ArraySlice<UInt8>: Int]>
  ) {
    let token = tokens[index]
    if found[keyPath: names][token.bytes] == nil { found[keyPath: names][token.bytes] = token.line }
  }
}
