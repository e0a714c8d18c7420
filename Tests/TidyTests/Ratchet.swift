/// A limit with the exceptions that were there before it: they may shrink, and never grow.
struct Ratchet {
  /// What is counted, such as "lines".
  let unit: String
  let max: Int
  /// Names that may exceed the limit, with what they are at.
  let exceptions: [String: Int]

  /// What is wrong, one sentence each; nothing if every figure is in order.
  ///
  /// An exception that is at less than it says is wrong as well: lowered, it can't grow back.
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
