import Moonwire

extension FunctionTestRun.Reply {
  /// The failure of using a screen, with what there is.
  init(_ error: ScreenError) {
    switch error {
    case .noScreen: self = .failure("\(error): t.route(url) shows one")
    case .noControl(let name, let known):
      // Each has its number before its title.
      let titles = known.map { String($0.drop { $0 != " " }.dropFirst()) }
      self = .failure(
        "\(error)" + TestSuggestions.ending(name, titles), Self.those(known, "controls"))
    case .ambiguousControl(_, let numbers):
      let taps = numbers.map { "t.tap(\($0))" }
      self = .failure("\(error): use a number, \(Wording.list(taps, "or"))")
    case .noInput(let name, let known):
      self = .failure(
        "\(error)" + TestSuggestions.ending(name, known), Self.those(known, "inputs"))
    case .noList(_, let known):
      self = .failure("\(error)", Self.those(known, "lists that are drawn in part"))
    case .noKey(let keys, let known):
      self = .failure(
        "\(error)" + TestSuggestions.ending(keys, known), Self.those(known, "keys"))
    default: self = .failure("\(error)")
    }
  }

  private static func those(_ known: [String], _ what: String) -> [String] {
    [known.isEmpty ? "it has no \(what)" : "its \(what): \(TestSuggestions.list(known))"]
  }
}
