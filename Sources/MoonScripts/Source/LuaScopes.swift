/// The locals and globals of a script, by scope.
///
/// The text compiles. Of one that doesn't, the result is of no use, and takes no more time.
///
/// - Complexity: O(n)
struct LuaScopes {
  /// A local variable, parameter or variable of a loop.
  struct Local {
    /// The kind of declaration.
    enum Kind {
      case variable, function, parameter, loop
    }

    let token: LuaTokens.Token
    let kind: Kind
    /// Whether it is there for what it does at its end: `local file <close> = …`.
    var isClosed = false
    /// Whether any code reads it.
    var isRead = false
  }

  /// A local that hides another one of its name.
  struct Shadow {
    let local: LuaTokens.Token
    let hidden: LuaTokens.Token
  }

  private(set) var locals: [Local] = []
  private(set) var shadows: [Shadow] = []
  /// The globals that are assigned, and those that are read, each with its first occurrence.
  private(set) var assigned: [ArraySlice<UInt8>: LuaTokens.Token] = [:]
  private(set) var reads: [ArraySlice<UInt8>: LuaTokens.Token] = [:]

  private enum Level {
    case braces, brackets, block
    /// The condition of a loop that has ended, which sees the locals in it.
    case condition
  }

  /// Locals that become visible where their statement ends, or their loop begins.
  private struct Pending {
    let locals: [Local]
    /// The number of levels around them.
    let depth: Int
    let isLoop: Bool
  }

  private let tokens: [LuaTokens.Token]
  private var levels: [Level] = []
  /// The numbers of visible locals at the beginning of each level.
  private var starts: [Int] = []
  private var visible: [Int] = []
  private var named: [ArraySlice<UInt8>: [Int]] = [:]
  private var pending: [Pending] = []

  init(_ tokens: [LuaTokens.Token]) {
    self.tokens = tokens
    var index = 0
    while index < tokens.count { index = take(index) }
    finishStatement()
  }

  // MARK: Tokens

  private func isSymbol(_ text: StaticString, _ index: Int) -> Bool {
    matches(text, .symbol, index)
  }

  private func isKeyword(_ text: StaticString, _ index: Int) -> Bool {
    matches(text, .keyword, index)
  }

  private func matches(_ text: StaticString, _ kind: LuaTokens.Token.Kind, _ index: Int) -> Bool {
    guard tokens.indices.contains(index), tokens[index].kind == kind else { return false }
    return text.withUTF8Buffer { tokens[index].bytes.elementsEqual($0) }
  }

  private func isName(_ index: Int) -> Bool {
    tokens.indices.contains(index) && tokens[index].kind == .name
  }

  /// Returns whether an operand ends with a token, so that a name after it begins a statement.
  private func endsOperand(_ index: Int) -> Bool {
    guard tokens.indices.contains(index) else { return false }
    switch tokens[index].kind {
    case .name, .text, .number: return true
    case .symbol: return [")", "]", "}", "..."].contains { isSymbol($0, index) }
    case .keyword: return ["end", "nil", "true", "false"].contains { isKeyword($0, index) }
    }
  }

  private mutating func take(_ index: Int) -> Int {
    switch tokens[index].kind {
    case .text, .number: return index + 1
    case .symbol: return takeSymbol(index)
    case .keyword: return takeKeyword(index)
    case .name: return takeName(index)
    }
  }

  private mutating func takeSymbol(_ index: Int) -> Int {
    let bytes = tokens[index].bytes
    if isSymbol("::", index) {
      finishStatement()
      return index + 3
    }
    guard bytes.count == 1 else { return index + 1 }
    switch bytes.first {
    case UInt8(ascii: "{"): open(.braces)
    case UInt8(ascii: "("), UInt8(ascii: "["): open(.brackets)
    case UInt8(ascii: "}"), UInt8(ascii: ")"), UInt8(ascii: "]"): close()
    // Those in a table part its entries.
    case UInt8(ascii: ";"): if levels.last != .braces { finishStatement() }
    default: break
    }
    return index + 1
  }

  private mutating func takeKeyword(_ index: Int) -> Int {
    switch String(decoding: tokens[index].bytes, as: UTF8.self) {
    case "function": return takeFunction(index)
    case "local":
      finishStatement()
      return takeLocal(index + 1)
    case "for":
      finishStatement()
      let (names, end) = takeNames(index + 1, .loop)
      pending.append(Pending(locals: names, depth: levels.count, isLoop: true))
      return end
    case "do":
      if let last = pending.last, last.isLoop, last.depth == levels.count {
        pending.removeLast()
        open(.block)
        for local in last.locals { declare(local) }
      } else {
        finishStatement()
        open(.block)
      }
    case "then": open(.block)
    case "repeat":
      finishStatement()
      open(.block)
    case "else":
      finishStatement()
      close()
      open(.block)
    case "elseif", "end":
      finishStatement()
      close()
    case "until":
      finishStatement()
      if levels.last == .block { levels[levels.count - 1] = .condition }
    case "goto":
      finishStatement()
      return index + 2
    case "return", "break", "if", "while": finishStatement()
    default: break
    }
    return index + 1
  }

  private mutating func takeName(_ index: Int) -> Int {
    if isSymbol(".", index - 1) || isSymbol(":", index - 1) { return index + 1 }
    let isAssigned = isSymbol("=", index + 1)
    if levels.last == .braces {
      let beginsEntry = ["{", ",", ";"].contains { isSymbol($0, index - 1) }
      if !(isAssigned && beginsEntry) { read(index) }
      return index + 1
    }
    if endsOperand(index - 1) { finishStatement() }
    if isAssigned, levels.last != .brackets {
      assign(index)
      return index + 1
    }
    guard levels.last != .brackets, beginsStatement(index) else {
      read(index)
      return index + 1
    }
    // What is before a sign of assignment, some of which may be fields; else the first is read.
    var (targets, end) = ([index], fieldEnd(index))
    while isSymbol(",", end + 1), isName(end + 2) {
      targets.append(end + 2)
      end = fieldEnd(end + 2)
    }
    guard targets.count > 1, isSymbol("=", end + 1) else {
      read(index)
      return index + 1
    }
    for target in targets { if isSymbol(".", target + 1) { read(target) } else { assign(target) } }
    return end + 1
  }

  /// Returns the end of a name and of the fields after it.
  private func fieldEnd(_ index: Int) -> Int {
    var end = index
    while isSymbol(".", end + 1), isName(end + 2) { end += 2 }
    return end
  }

  private func beginsStatement(_ index: Int) -> Bool {
    index == 0 || endsOperand(index - 1) || isSymbol(";", index - 1) || isSymbol("::", index - 1)
      || ["do", "then", "else", "repeat", "break"].contains { isKeyword($0, index - 1) }
  }

  // MARK: Declarations

  /// Processes the names of locals and their attributes.
  private func takeNames(_ start: Int, _ kind: Local.Kind) -> (locals: [Local], end: Int) {
    var (locals, index) = ([Local](), start)
    while isName(index) {
      var local = Local(token: tokens[index], kind: kind)
      index += 1
      if isSymbol("<", index) {
        local.isClosed = matches("close", .name, index + 1)
        index += 3
      }
      locals.append(local)
      guard isSymbol(",", index) else { break }
      index += 1
    }
    return (locals, index)
  }

  private mutating func takeLocal(_ index: Int) -> Int {
    if isKeyword("function", index) {
      guard isName(index + 1) else { return index + 1 }
      declare(Local(token: tokens[index + 1], kind: .function))
      return takeParameters(index + 2)
    }
    let (names, end) = takeNames(index, .variable)
    if isSymbol("=", end) {
      pending.append(Pending(locals: names, depth: levels.count, isLoop: false))
    } else {
      for local in names { declare(local) }
    }
    return end
  }

  /// Processes a function: its name, if it is a statement, and its parameters.
  private mutating func takeFunction(_ start: Int) -> Int {
    var index = start + 1
    guard isName(index) else { return takeParameters(index) }
    finishStatement()
    var isMethod = false
    if isSymbol("(", index + 1) { assign(index) } else { read(index) }
    while index < tokens.count, !isSymbol("(", index) {
      isMethod = isMethod || isSymbol(":", index)
      index += 1
    }
    return takeParameters(index, isMethod: isMethod)
  }

  private mutating func takeParameters(_ start: Int, isMethod: Bool = false) -> Int {
    open(.block)
    guard isSymbol("(", start) else { return start }
    if isMethod { hide(name: Array("self".utf8)[...], at: start) }
    let (names, end) = takeNames(start + 1, .parameter)
    for local in names { declare(local) }
    var index = end
    while index < tokens.count, !isSymbol(")", index) { index += 1 }
    return index + 1
  }

  /// Declares the parameter that a method has without saying so.
  private mutating func hide(name: ArraySlice<UInt8>, at index: Int) {
    let token = LuaTokens.Token(kind: .name, bytes: name, line: tokens[index].line)
    enter(Local(token: token, kind: .parameter))
  }

  private mutating func declare(_ local: Local) {
    let name = local.token.bytes
    if let hidden = named[name]?.last, !isMeantToHide(local) {
      shadows.append(Shadow(local: local.token, hidden: locals[hidden].token))
    }
    enter(local)
  }

  private mutating func enter(_ local: Local) {
    visible.append(locals.count)
    named[local.token.bytes, default: []].append(locals.count)
    locals.append(local)
  }

  /// Returns whether a local takes the place of another on purpose: `local by = by or 1`, `_`, or
  /// the `self` of a function within another.
  private func isMeantToHide(_ local: Local) -> Bool {
    let name = local.token.bytes
    if name.first == UInt8(ascii: "_") || name.elementsEqual("self".utf8) { return true }
    guard local.kind == .variable, let index = position(of: local.token) else { return false }
    return isSymbol("=", index + 1) && isName(index + 2) && tokens[index + 2].bytes == name
  }

  /// Returns the index of a token.
  private func position(of token: LuaTokens.Token) -> Int? {
    var (low, high) = (0, tokens.count)
    while low < high {
      let middle = (low + high) / 2
      if tokens[middle].bytes.startIndex < token.bytes.startIndex {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < tokens.count ? low : nil
  }

  // MARK: Scopes

  private mutating func open(_ level: Level) {
    levels.append(level)
    starts.append(visible.count)
  }

  private mutating func close() {
    guard levels.popLast() != nil, let start = starts.popLast() else { return }
    while visible.count > start {
      let name = locals[visible.removeLast()].token.bytes
      named[name]?.removeLast()
    }
    pending.removeAll { $0.depth > levels.count }
  }

  private mutating func finishStatement() {
    while let last = pending.last, last.depth == levels.count, !last.isLoop {
      pending.removeLast()
      for local in last.locals { declare(local) }
    }
    if levels.last == .condition {
      close()
      finishStatement()
    }
  }

  private mutating func read(_ index: Int) {
    let token = tokens[index]
    if let local = named[token.bytes]?.last {
      locals[local].isRead = true
    } else if reads[token.bytes] == nil {
      reads[token.bytes] = token
    }
  }

  private mutating func assign(_ index: Int) {
    let token = tokens[index]
    if named[token.bytes]?.last == nil, assigned[token.bytes] == nil {
      assigned[token.bytes] = token
    }
  }
}

extension LuaScopes {
  /// The locals and local functions that no code reads, unless their names begin with `_`.
  var unused: [Local] {
    locals.filter {
      !$0.isRead && !$0.isClosed && ($0.kind == .variable || $0.kind == .function)
        && $0.token.bytes.first != UInt8(ascii: "_")
    }
  }
}
