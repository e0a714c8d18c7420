public import MoonValues

/// A pattern that the text of an input must match: a subset of JavaScript's regular expressions.
///
/// The subset has literals, `.`, classes such as `[a-z]` and `[^0-9]`, `\d`, `\w`, `\s` and their
/// opposites, `^`, `$`, `\b` and `\B`, groups, alternatives, and the repetitions `*`, `+`, `?` and
/// `{2,4}`. It has neither references to groups nor conditions on what comes before or after, so
/// that a text is compared in one pass, whatever the pattern.
public struct TextPattern: Hashable, Sendable {
  /// The maximum number of steps that a pattern may be compiled to.
  ///
  /// It is about the number of its characters, with those that are repeated counted each time.
  package static let stepCountMax = 1_000
  /// The maximum nesting of groups.
  package static let depthMax = 30
  /// The maximum number of characters in a text that is compared with a pattern.
  ///
  /// With ``stepCountMax`` it bounds the time of a comparison to a fraction of a second.
  package static let textLengthMax = 10_000

  /// The pattern as it is written.
  package let source: Text
  private let steps: [Step]

  /// Compiles a pattern.
  ///
  /// - Throws: ``Problem``
  package init(_ source: Text) throws(Problem) {
    self.source = source
    var parser = TextPatternParser(source.string)
    steps = try parser.steps() + [.match]
  }

  /// The reason that a pattern can't be used.
  public enum Problem: Error, Hashable, Sendable {
    /// A group, a class or an escape has no end.
    case unfinished
    /// A parenthesis closes nothing.
    case unopened
    /// A repetition follows nothing that can be repeated, or isn't written as one.
    case repetition
    /// The ends of a range in a class aren't in order.
    case range
    /// A piece isn't part of the subset.
    case unsupported(Text)
    /// It takes more than `stepCountMax` steps.
    case tooLong
    /// Its groups are nested deeper than `depthMax`.
    case tooDeep
  }

  /// Returns whether a part of the text matches; `^` and `$` stand for the text's ends.
  ///
  /// - Complexity: O(length of the text × length of the pattern).
  package func matches(_ text: Text) -> Bool {
    let scalars = text.string.unicodeScalars.map(\.value)
    var threads = Threads(steps)
    for place in 0...scalars.count {
      // A match may begin at each place.
      if threads.start(at: place, in: scalars) { return true }
      guard place < scalars.count else { break }
      if threads.advance(over: place, in: scalars) { return true }
    }
    return false
  }

  /// One step of a compiled pattern; targets are distances from the step itself.
  enum Step: Hashable, Sendable {
    case one(ScalarSet)
    case split(Int, Int)
    case jump(Int)
    case start
    case end
    case boundary(Bool)
    case match
  }
}

/// The characters that a step accepts.
struct ScalarSet: Hashable, Sendable {
  var ranges: [ClosedRange<UInt32>]
  var isNegated = false

  func contains(_ scalar: UInt32) -> Bool {
    ranges.contains { $0.contains(scalar) } != isNegated
  }

  static let digits = ScalarSet(ranges: [0x30...0x39])
  static let wordCharacters = ScalarSet(
    ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let blanks = ScalarSet(ranges: [
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
    0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  /// What `.` accepts.
  static let inLine = ScalarSet(
    ranges: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029], isNegated: true)

  /// The characters that it doesn't contain, as ranges.
  var complement: [ClosedRange<UInt32>] {
    var complement: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { complement.append(next...(range.lowerBound - 1)) }
      next = max(next, range.upperBound + 1)
    }
    return complement + [next...0x10FFFF]
  }
}

/// The steps at which all possible matches are, moved through the text side by side.
private struct Threads {
  private let steps: [TextPattern.Step]
  /// The steps that wait for a character.
  private var waiting: [Int] = []
  private var moving: [Int] = []
  /// The place at which each step was reached last.
  private var reached: [Int]

  init(_ steps: [TextPattern.Step]) {
    self.steps = steps
    reached = Array(repeating: -1, count: steps.count)
  }

  /// Begins a match; returns whether it is complete at once.
  mutating func start(at place: Int, in text: [UInt32]) -> Bool {
    follow(0, at: place, in: text)
  }

  /// Moves over the character at a place; returns whether a match is complete after it.
  mutating func advance(over place: Int, in text: [UInt32]) -> Bool {
    swap(&moving, &waiting)
    waiting.removeAll(keepingCapacity: true)
    for index in moving {
      guard case .one(let set) = steps[index], set.contains(text[place]) else { continue }
      if follow(index + 1, at: place + 1, in: text) { return true }
    }
    return false
  }

  /// Adds the steps that are reached from one without a character; returns whether a match is
  /// complete.
  private mutating func follow(_ first: Int, at place: Int, in text: [UInt32]) -> Bool {
    var open = [first]
    while let index = open.popLast() {
      guard reached[index] != place else { continue }
      reached[index] = place
      switch steps[index] {
      case .one: waiting.append(index)
      case .split(let one, let other): open += [index + other, index + one]
      case .jump(let distance): open.append(index + distance)
      case .start: if place == 0 { open.append(index + 1) }
      case .end: if place == text.count { open.append(index + 1) }
      case .boundary(let isWanted):
        let before = place > 0 && ScalarSet.wordCharacters.contains(text[place - 1])
        let after = place < text.count && ScalarSet.wordCharacters.contains(text[place])
        if (before != after) == isWanted { open.append(index + 1) }
      case .match: return true
      }
    }
    return false
  }
}

extension TextPattern.Problem: CustomStringConvertible {
  /// The problem, in a few words.
  public var description: String {
    switch self {
    case .unfinished: "a group, a class or an escape has no end"
    case .unopened: "a ) closes nothing"
    case .repetition: "a repetition needs something to repeat, and counts such as {2,4}"
    case .range: "the ends of a range aren't in order"
    case .unsupported(let piece): "\(piece) isn't supported"
    case .tooLong: "it takes more than \(TextPattern.stepCountMax) steps"
    case .tooDeep: "its groups are nested deeper than \(TextPattern.depthMax)"
    }
  }
}
