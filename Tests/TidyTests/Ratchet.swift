/// A limit with the exceptions that existed before it, which may only shrink.
struct Ratchet {
  /// The unit that is counted, such as "lines".
  let unit: String
  let max: Int
  /// The names that may exceed the limit, with their figures.
  let exceptions: [String: Int]

  /// Returns the violations, one sentence each; none if every figure is within its limit.
  ///
  /// An exception with a figure above the actual one is a violation too: once lowered, it can't
  /// grow back.
  func problems(with figures: [String: Int]) -> [String] {
    var problems: [String] = []
    for (name, figure) in figures.sorted(by: { $0.key < $1.key }) {
      let excepted = exceptions[name]
      if figure > excepted ?? max {
        problems.append("\(name): \(figure) \(unit), and may have \(excepted ?? max)")
      }
    }
    for (name, excepted) in exceptions.sorted(by: { $0.key < $1.key }) {
      let figure = figures[name] ?? 0
      if figure <= max {
        problems.append("\(name): \(figure) \(unit): take it off the exceptions")
      } else if figure < excepted {
        problems.append("\(name): \(figure) \(unit): lower its exception from \(excepted)")
      }
    }
    return problems
  }
}
