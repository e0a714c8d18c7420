/// The reader of a script's tokens.
///
/// Names are classified by the tokens around them; ``LuaScopes`` knows whether they are locals.
struct SourceReader {
  private enum Level {
    case braces, brackets, block
  }

  /// The names by their use, each with its first occurrence.
  struct Found {
    var stateReads: [ArraySlice<UInt8>: LuaTokens.Token] = [:]
    var calls: [ArraySlice<UInt8>: LuaTokens.Token] = [:]
    var targets: [ArraySlice<UInt8>: LuaTokens.Token] = [:]
    /// The texts that fields named `kind` get.
    var kinds: [ArraySlice<UInt8>: LuaTokens.Token] = [:]
  }

  /// A function around the current token.
  private struct Frame {
    let line: Int
    let levelCount: Int
    var mayReturn = false
    var parameters: Set<ArraySlice<UInt8>> = []
    /// The parameter that is the module's state, as far as the place of the function shows.
    var state: ArraySlice<UInt8>?
    /// Whether it migrates earlier states, whose fields may no longer exist.
    var isMigration = false
  }

  /// The position of the state among the parameters of the functions under a key, from 0.
  private static let statePositions: [ArraySlice<UInt8>: Int] = Dictionary(
    uniqueKeysWithValues: [
      ("reducers", 0), ("views", 1), ("routes", 1), ("handlers", 1), ("map_modules", 1),
      ("map_navigation", 1), ("on_back", 1), ("containers", 1), ("lifecycle", 2), ("presenters", 2),
      ("extends", 2),
      ("routing_options", 2),
    ].map { (Array($0.0.utf8)[...], $0.1) })

  private static let allowance = Array(" moonwire: allow ".utf8)

  var quoted: Set<ArraySlice<UInt8>> = []
  var allowed: Set<String> = []
  var found = Found()
  var fields: [ArraySlice<UInt8>: Int] = [:]
  var takesActions = false
  var returnlessLines: Set<Int> = []
  /// The number of functions that begin on a line.
  private var functionCounts: [Int: Int] = [:]
  var hasDynamicGlobals = false
  var hasDynamicState = false
  private(set) var tokens: [LuaTokens.Token] = []
  private var levels: [Level] = []
  /// The keys of the tables among the levels; nil for those without one, and for other levels.
  private var keys: [ArraySlice<UInt8>?] = []
  /// The functions around the current token, the innermost last.
  private var functions: [Frame] = []

  init(_ source: [UInt8]) {
    var comments: [ArraySlice<UInt8>] = []
    var scanner = LuaTokens(source)
    scanner.comment = { bytes, _ in
      if bytes.starts(with: Self.allowance) { comments.append(bytes) }
    }
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
    case .symbol: takeSymbol(token, index)
    case .keyword: return takeKeyword(index)
    case .name: takeName(index)
    }
    return index + 1
  }

  private mutating func takeSymbol(_ token: LuaTokens.Token, _ index: Int) {
    switch token.bytes.first {
    case UInt8(ascii: "{"): push(.braces, key: key(before: index))
    case UInt8(ascii: "("), UInt8(ascii: "["): push(.brackets)
    case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): pop()
    default: break
    }
  }

  private mutating func push(_ level: Level, key: ArraySlice<UInt8>? = nil) {
    levels.append(level)
    keys.append(key)
  }

  private mutating func pop() {
    _ = levels.popLast()
    _ = keys.popLast()
  }

  /// Returns the name in `name = …`, where the value begins at an index.
  private func key(before index: Int) -> ArraySlice<UInt8>? {
    isSymbol("=", index - 1) && isName(index - 2) ? tokens[index - 2].bytes : nil
  }

  private mutating func takeKeyword(_ index: Int) -> Int {
    if isWord("end", index) || isWord("until", index) {
      pop()
      endFunction()
    } else if isWord("do", index) || isWord("if", index) || isWord("repeat", index) {
      push(.block)
    } else if isWord("function", index) {
      let line = tokens[index].line
      var frame = Frame(line: line, levelCount: levels.count)
      // Tables outside of the function around this one say nothing about it.
      let own = keys.dropFirst(functions.last?.levelCount ?? 0) + [key(before: index)]
      let position = own.compactMap(\.self).compactMap { Self.statePositions[$0] }.first
      frame.isMigration = own.last == Array("migrate".utf8)[...]
      functionCounts[line, default: 0] += 1
      push(.block)
      let (end, parameters) = takeFunction(index)
      frame.parameters = Set(parameters)
      if let position, parameters.indices.contains(position) { frame.state = parameters[position] }
      functions.append(frame)
      return end
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
    if isWord("function", index) { return index }
    while isName(index) {
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
  private mutating func takeFunction(
    _ start: Int
  ) -> (end: Int, parameters: [ArraySlice<UInt8>]) {
    var parameters: [ArraySlice<UInt8>] = []
    var index = start + 1
    if isName(index) {
      while index < tokens.count, !isSymbol("(", index) { index += 1 }
    }
    guard isSymbol("(", index) else { return (index, []) }
    index += 1
    while index < tokens.count, !isSymbol(")", index) {
      if isName(index) { parameters.append(tokens[index].bytes) }
      index += 1
    }
    return (index + 1, parameters)
  }

  /// Returns whether a name is the module's state.
  private func isState(_ index: Int) -> Bool {
    guard isName(index) else { return false }
    let name = tokens[index].bytes
    if let frame = functions.last(where: { $0.parameters.contains(name) }),
      frame.isMigration || frame.state != nil
    {
      return frame.state == name
    }
    return isWord("state", index)
  }

  private mutating func takeName(_ index: Int) {
    if isWord("error", index) { noteReturn() }
    let isField = isSymbol(".", index - 1) || isSymbol(":", index - 1)
    let isAssigned = isSymbol("=", index + 1)
    if isField {
      if isAssigned { noteField(index) }
      takeStateField(index, isAssigned: isAssigned)
      takeCall(index)
      takeTarget(index)
    } else if isSymbol("::", index - 1) {
      return
    } else if isAssigned, levels.last == .braces,
      symbol(index - 1).map({ "{,;".utf8.contains($0) }) ?? false
    {
      noteField(index)
    } else if isWord("_G", index) || isWord("_ENV", index) {
      hasDynamicGlobals = true
    } else if !isAssigned || levels.last == .brackets {
      if isState(index), symbol(index + 1) == UInt8(ascii: "[") { hasDynamicState = true }
    }
  }

  private mutating func noteField(_ index: Int) {
    let token = tokens[index]
    if fields[token.bytes] == nil { fields[token.bytes] = token.line }
    if isWord("kind", index), index + 2 < tokens.count, tokens[index + 2].kind == .text {
      note(index + 2, in: \.kinds)
    }
  }

  /// Processes `self.dispatch("add", …)`, `self.dispatch { type = "add" }` and
  /// `ui.button("Add", "add", …)`.
  private mutating func takeTarget(_ index: Int) {
    guard isSymbol(".", index - 1) else { return }
    if isWord("take", index) { takesActions = true }
    let isButton = isWord("button", index) && isWord("ui", index - 2)
    let isDispatch = isWord("dispatch", index) || isWord("dispatch_and_wait", index)
    guard isButton || (isDispatch && isHandle(index - 2)) else { return }
    if isDispatch, isName(index + 1) == false, !isSymbol("(", index + 1) {
      let isTable = isSymbol("{", index + 1)
      noteTarget(isTable ? typeField(index + 2) : index + 1)
    } else if isSymbol("(", index + 1) {
      let argument = isButton ? secondArgument(index + 2) : index + 2
      if let argument, isSymbol("{", argument) {
        noteTarget(typeField(argument + 1))
      } else if let argument, isSymbol(",", argument + 1) || isSymbol(")", argument + 1) {
        noteTarget(argument)
      }
    }
  }

  /// Returns whether a name is `self` or another parameter of a function.
  private func isHandle(_ index: Int) -> Bool {
    guard isName(index), !isSymbol(".", index - 1) else { return false }
    return isWord("self", index)
      || functions.contains { $0.parameters.contains(tokens[index].bytes) && $0.state != nil }
  }

  /// Returns the place of the value of `type` at the beginning of a table.
  private func typeField(_ index: Int) -> Int? {
    isWord("type", index) && isSymbol("=", index + 1)
      && (isSymbol(",", index + 3) || isSymbol("}", index + 3)) ? index + 2 : nil
  }

  /// Returns the place of the second argument of a call whose arguments begin at an index.
  private func secondArgument(_ start: Int) -> Int? {
    var depth = 0
    for index in start..<min(start + Self.argumentLengthMax, tokens.count) {
      switch symbol(index) {
      case UInt8(ascii: "("), UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return nil }
        depth -= 1
      case UInt8(ascii: ","): if depth == 0 { return index + 1 }
      default: break
      }
    }
    return nil
  }

  /// The maximum number of tokens of an argument that is skipped.
  private static let argumentLengthMax = 100

  private mutating func noteTarget(_ index: Int?) {
    guard let index, tokens.indices.contains(index), tokens[index].kind == .text else { return }
    note(index, in: \.targets)
  }

  private mutating func takeStateField(_ index: Int, isAssigned: Bool) {
    guard !isAssigned, isSymbol(".", index - 1), isState(index - 2),
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

  private mutating func note(
    _ index: Int, in names: WritableKeyPath<Found, [ArraySlice<UInt8>: LuaTokens.Token]>
  ) {
    let token = tokens[index]
    if found[keyPath: names][token.bytes] == nil { found[keyPath: names][token.bytes] = token }
  }
}
