/// The types that a Swift file declares or extends, found by their braces.
struct SwiftDeclarations: Sendable {
  /// One declaration of a type, or one extension.
  struct Declaration: Sendable {
    /// `struct`, `class`, `enum`, `actor`, `protocol` or `extension`.
    let kind: String
    /// The name, including those of the enclosing types: `Outer.Inner`.
    let name: String
    /// Whether other files can't refer to it.
    let isPrivate: Bool
    /// The lines from its name to its closing brace.
    var lines = 0..<0
    /// The number of those lines that have code, without the lines of nested types.
    ///
    /// Comments aren't counted: no contract is to be cut short for a limit.
    var lineCount = 0
    /// The stored properties of each of its values.
    var storedCount = 0
  }

  private(set) var all: [Declaration] = []
  private let tokens: [SwiftTokens.Token]
  /// The declaration of each open brace; nil if it isn't a type's.
  private var scopes: [(declaration: Int?, line: Int)] = []
  /// The number of lines with code up to each line.
  private let codeLineCounts: [Int]
  /// The beginning of the body of a declaration whose head has been read.
  private var bodies: [Int: (declaration: Int, line: Int)] = [:]

  private static let kinds: Set<String> = [
    "struct", "class", "enum", "actor", "protocol", "extension",
  ]
  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private", "open", "final", "static", "class",
    "lazy", "weak", "unowned", "nonisolated", "override", "dynamic", "required", "indirect",
  ]

  /// Returns the innermost type that a line belongs to; nil if there is none.
  func type(at line: Int) -> String? {
    all.filter { $0.lines.contains(line) }.min { $0.lines.count < $1.lines.count }?.name
  }

  init(of tokens: SwiftTokens) {
    self.tokens = tokens.all
    let lines = Set(tokens.all.map(\.line))
    codeLineCounts = (0...(lines.max() ?? 0)).reduce(into: []) { counts, line in
      counts.append((counts.last ?? 0) + (lines.contains(line) ? 1 : 0))
    }
    for index in self.tokens.indices { read(index) }
  }

  private mutating func read(_ index: Int) {
    switch tokens[index].text {
    case "{":
      let body = bodies.removeValue(forKey: index)
      scopes.append((body?.declaration, body?.line ?? tokens[index].line))
    case "}": close(at: tokens[index].line)
    case "let", "var":
      guard let type = scopes.last?.declaration, !modifiers(before: index).contains("static"),
        !modifiers(before: index).contains("class"), isDeclaration(index)
      else { return }
      all[type].storedCount += storedCount(from: index + 1)
    case let text where Self.kinds.contains(text): open(text, index)
    default: break
    }
  }

  // MARK: Types

  private mutating func open(_ kind: String, _ index: Int) {
    guard index + 1 < tokens.count, tokens[index + 1].isTypeName, isDeclaration(index) else {
      return
    }
    var name = tokens[index + 1].text
    var next = index + 2
    while next + 1 < tokens.count, tokens[next].text == ".", tokens[next + 1].isWord {
      name += "." + tokens[next + 1].text
      next += 2
    }
    guard let body = tokens[next...].firstIndex(where: { $0.text == "{" }) else { return }
    let outer = scopes.last { $0.declaration != nil }?.declaration
    if let outer { name = all[outer].name + "." + name }
    let words = modifiers(before: index)
    let isPrivate = words.contains("private") || words.contains("fileprivate")
    all.append(
      Declaration(
        kind: kind, name: name, isPrivate: isPrivate || outer.map { all[$0].isPrivate } ?? false))
    bodies[body] = (all.count - 1, tokens[index].line)
  }

  private mutating func close(at line: Int) {
    guard let scope = scopes.popLast(), let type = scope.declaration else { return }
    all[type].lines = scope.line..<(line + 1)
    let count = codeLineCounts[line] - (scope.line > 0 ? codeLineCounts[scope.line - 1] : 0)
    all[type].lineCount += count
    if let outer = scopes.last(where: { $0.declaration != nil })?.declaration {
      all[outer].lineCount -= count
    }
  }

  /// Returns whether a word is in the position of a declaration, and isn't a member, label or name.
  private func isDeclaration(_ index: Int) -> Bool {
    guard index > 0 else { return true }
    return ![".", "case", "if", "guard", "while", "func", "let", "var", ",", "(", "for"]
      .contains(tokens[index - 1].text)
  }

  /// Returns the modifiers of a declaration, without `(set)` and attributes.
  private func modifiers(before index: Int) -> Set<String> {
    var found: Set<String> = []
    var at = index - 1
    while at >= 0 {
      if tokens[at].text == ")" {
        while at > 0, tokens[at].text != "(" { at -= 1 }
      } else if at > 0, tokens[at - 1].text == "@" {
        at -= 1
      } else if Self.modifiers.contains(tokens[at].text) {
        found.insert(tokens[at].text)
      } else {
        return found
      }
      at -= 1
    }
    return found
  }

  // MARK: Properties

  /// Returns the number of stored properties of a `let` or `var`, from the token after it.
  private func storedCount(from start: Int) -> Int {
    var names = 1
    var depth = 0
    var at = start
    if tokens[at].text == "(" {
      let end = tokens[at...].firstIndex { $0.text == ")" } ?? at
      names = tokens[at..<end].count { $0.text == "," } + 1
      at = end
    }
    at += 1
    while at < tokens.count {
      switch tokens[at].text {
      case "(", "[", "<": depth += 1
      case ")", "]": depth -= 1
      case ">" where tokens[at - 1].text != "-": depth -= 1
      case "=" where depth == 0: return names
      case "{" where depth == 0:
        return ["didSet", "willSet"].contains(tokens[at + 1].text) ? names : 0
      case "," where depth == 0: names += 1
      case "}": return names
      default:
        let isOnNextLine = tokens[at].line > tokens[at - 1].line && tokens[at - 1].text != ":"
        if depth == 0, isOnNextLine { return names }
      }
      at += 1
    }
    return names
  }
}
