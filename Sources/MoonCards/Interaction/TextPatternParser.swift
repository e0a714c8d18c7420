import MoonValues

/// Compiles the source of a ``TextPattern``.
struct TextPatternParser {
  private typealias Step = TextPattern.Step
  private typealias Problem = TextPattern.Problem

  private let source: [Unicode.Scalar]
  private var place = 0

  init(_ source: String) {
    self.source = Array(source.unicodeScalars)
  }

  /// - Throws: ``TextPattern/Problem``
  mutating func steps() throws(TextPattern.Problem) -> [TextPattern.Step] {
    let steps = try alternatives(depth: 0)
    guard place == source.count else { throw .unopened }
    return steps
  }

  private var next: Unicode.Scalar? { place < source.count ? source[place] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func taken() throws(Problem) -> Unicode.Scalar {
    guard let next else { throw .unfinished }
    place += 1
    return next
  }

  private static func checked(_ steps: [Step]) throws(Problem) -> [Step] {
    guard steps.count < TextPattern.stepCountMax else { throw .tooLong }
    return steps
  }

  private mutating func alternatives(depth: Int) throws(Problem) -> [Step] {
    guard depth <= TextPattern.depthMax else { throw .tooDeep }
    var steps = try sequence(depth: depth)
    while take("|") {
      let other = try sequence(depth: depth)
      // The first alternative is followed by a jump over the other.
      steps = try Self.checked(
        [.split(1, steps.count + 2)] + steps + [.jump(other.count + 1)] + other)
    }
    return steps
  }

  private mutating func sequence(depth: Int) throws(Problem) -> [Step] {
    var steps: [Step] = []
    while let next, next != "|", next != ")" {
      steps = try Self.checked(steps + piece(depth: depth))
    }
    return steps
  }

  private mutating func piece(depth: Int) throws(Problem) -> [Step] {
    switch try taken() {
    case "^": return [.start]
    case "$": return [.end]
    case "*", "+", "?", "{": throw .repetition
    case "(":
      try groupStart()
      let steps = try alternatives(depth: depth + 1)
      guard take(")") else { throw .unfinished }
      return try repeated(steps)
    case "[": return try repeated([.one(try characterClass())])
    case ".": return try repeated([.one(.inLine)])
    case "\\":
      if take("b") { return [.boundary(true)] }
      if take("B") { return [.boundary(false)] }
      return try repeated([.one(try escape())])
    case let scalar: return try repeated([.one(ScalarSet(ranges: [scalar.value...scalar.value]))])
    }
  }

  /// Skips what follows the parenthesis of a group, whose match isn't kept.
  private mutating func groupStart() throws(Problem) {
    guard take("?") else { return }
    if take(":") { return }
    let isNamed = take("<")
    guard isNamed, let next, next != "=", next != "!" else {
      throw .unsupported(Text("(?\(isNamed ? "<" : "")\(next.map(String.init) ?? "")"))
    }
    while try taken() != ">" {}
  }

  // MARK: Repetitions

  private mutating func repeated(_ steps: [Step]) throws(Problem) -> [Step] {
    let repeated: [Step]
    if take("*") {
      repeated = Self.anyNumber(of: steps)
    } else if take("+") {
      repeated = steps + [.split(-steps.count, 1)]
    } else if take("?") {
      repeated = Self.optional(steps)
    } else if take("{") {
      repeated = try counted(steps)
    } else {
      return steps
    }
    // A lazy repetition matches the same texts.
    _ = take("?")
    if let next, "*+?{".unicodeScalars.contains(next) { throw .repetition }
    return try Self.checked(repeated)
  }

  private static func anyNumber(of steps: [Step]) -> [Step] {
    [.split(1, steps.count + 2)] + steps + [.jump(-(steps.count + 1))]
  }

  private static func optional(_ steps: [Step]) -> [Step] {
    [.split(1, steps.count + 1)] + steps
  }

  /// `{2}`, `{2,}` or `{2,4}`.
  private mutating func counted(_ steps: [Step]) throws(Problem) -> [Step] {
    let least = try number()
    var most: Int? = least
    if take(",") { most = next == "}" ? nil : try number() }
    guard take("}") else { throw .repetition }
    if let most, most < least { throw .range }
    let copies = max(least, most ?? 0) + 1
    guard copies * (steps.count + 2) <= 2 * TextPattern.stepCountMax else { throw .tooLong }
    let required = Array(repeating: steps, count: least).flatMap(\.self)
    guard let most else { return required + Self.anyNumber(of: steps) }
    let rest = Array(repeating: Self.optional(steps), count: most - least)
    return required + rest.flatMap(\.self)
  }

  private mutating func number() throws(Problem) -> Int {
    var number: Int?
    while let digit = next.flatMap({ Int(String($0)) }) {
      place += 1
      number = (number ?? 0) * 10 + digit
      guard let number, number <= TextPattern.stepCountMax else { throw .tooLong }
    }
    guard let number else { throw .repetition }
    return number
  }

  // MARK: Characters

  /// Reads a class after its bracket.
  private mutating func characterClass() throws(Problem) -> ScalarSet {
    var set = ScalarSet(ranges: [], isNegated: take("^"))
    while !take("]") {
      let first = try member()
      guard next == "-", place + 1 < source.count, source[place + 1] != "]" else {
        set.ranges += first
        continue
      }
      place += 1
      let last = try member()
      guard let low = Self.single(first), let high = Self.single(last), low <= high else {
        throw .range
      }
      set.ranges.append(low...high)
    }
    return set
  }

  private mutating func member() throws(Problem) -> [ClosedRange<UInt32>] {
    let scalar = try taken()
    guard scalar == "\\" else { return [scalar.value...scalar.value] }
    if take("b") { return [8...8] }
    return try escape().ranges
  }

  private static func single(_ ranges: [ClosedRange<UInt32>]) -> UInt32? {
    ranges.count == 1 && ranges[0].count == 1 ? ranges[0].lowerBound : nil
  }

  /// Reads an escape after its backslash.
  private mutating func escape() throws(Problem) -> ScalarSet {
    let scalar = try taken()
    switch scalar {
    case "d": return .digits
    case "w": return .wordCharacters
    case "s": return .blanks
    case "D": return ScalarSet(ranges: ScalarSet.digits.complement)
    case "W": return ScalarSet(ranges: ScalarSet.wordCharacters.complement)
    case "S": return ScalarSet(ranges: ScalarSet.blanks.complement)
    case "t": return Self.one(0x09)
    case "n": return Self.one(0x0A)
    case "v": return Self.one(0x0B)
    case "f": return Self.one(0x0C)
    case "r": return Self.one(0x0D)
    case "x": return Self.one(try hexadecimal(digits: 2))
    case "u": return Self.one(try hexadecimal(digits: 4))
    default:
      guard !scalar.properties.isAlphabetic, Int(String(scalar)) == nil else {
        throw .unsupported(Text("\\\(scalar)"))
      }
      return Self.one(scalar.value)
    }
  }

  private static func one(_ scalar: UInt32) -> ScalarSet { ScalarSet(ranges: [scalar...scalar]) }

  private mutating func hexadecimal(digits: Int) throws(Problem) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = UInt32(String(try taken()), radix: 16) else { throw .unfinished }
      value = value * 16 + digit
    }
    return value
  }
}
