import MoonTerminal
import Moonwire

/// Candidates for URLs, and for the contents of the screen that was shown last.
struct NavigationCandidates {
  let snapshot: PromptSnapshot

  /// The maximum number of routes proposed.
  static let routeCountMax = 200

  /// Returns URLs up to the first variable part of their patterns.
  ///
  /// A route's name stands for its URL too.
  func urls(typed: String) -> [Completion.Candidate] {
    let all = snapshot.routes.map { (Self.literal($0.pattern.string), $0) }.filter { !$0.0.isEmpty }
    var found = all.filter { $0.0.hasPrefix(typed) }
    if found.isEmpty {
      found = all.filter { $0.1.name?.string.hasPrefix(typed) ?? false }
      // Several can't be proposed, since they don't begin with the word.
      if found.count > 1 { found = [] }
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0.0).inserted }.prefix(Self.routeCountMax).map {
      url, route in
      let pattern = route.pattern.string == url ? nil : route.pattern.string
      let note = [route.name?.string, pattern].compactMap(\.self).joined(separator: "  ")
      return Completion.Candidate(url, note: note.isEmpty ? nil : note)
    }
  }

  /// The controls, by their titles.
  var controls: [Completion.Candidate] {
    (snapshot.shown?.card?.controls ?? []).map { control in
      Completion.Candidate(control.title.string, note: "[\(control.number)]")
    }
  }

  /// Returns the inputs that the line doesn't fill in yet.
  func inputs(besides used: Set<String>) -> [Completion.Candidate] {
    (snapshot.shown?.card?.inputs ?? []).filter { !used.contains($0.id.string) }.map { input in
      Completion.Candidate(
        "\(input.id.asTyped)=", note: input.label.map(\.string) ?? Self.kind(of: input))
    }
  }

  /// Returns the values of an input that accepts only a few.
  func values(ofInput id: String) -> [Completion.Candidate] {
    guard let input = snapshot.shown?.card?.inputs.first(where: { $0.id.string == id }) else {
      return []
    }
    switch input.kind {
    case .toggle: return ["yes", "no"].map { Completion.Candidate($0, suffix: " ") }
    case .choice(let choices, _, _):
      return choices.map { choice in
        Completion.Candidate(choice.title.asTyped, suffix: " ")
      }
    case .text, .number, .date, .time: return []
    }
  }

  /// The ids of screens.
  var screens: [Completion.Candidate] {
    snapshot.screens.map { Completion.Candidate($0.id, note: $0.title) }
  }

  /// Returns the part of a pattern before its first parameter, group or wildcard.
  static func literal(_ pattern: String) -> String {
    let cuts = ["/:", "(", "*"].compactMap { mark in
      pattern.firstRange(of: mark).map { mark == "/:" ? $0.upperBound : $0.lowerBound }
    }
    guard let cut = cuts.min() else { return pattern.hasPrefix(":") ? "" : pattern }
    let literal = pattern[..<cut]
    return String(literal.hasSuffix("/:") ? literal.dropLast() : literal)
  }
}

extension NavigationCandidates {
  /// Returns the type of an input, in one word.
  fileprivate static func kind(of input: CardInput) -> String {
    switch input.kind {
    case .text: "text"
    case .number: "number"
    case .toggle: "yes or no"
    case .choice(_, let isMultiple, _): isMultiple ? "choices, with commas between" : "choice"
    case .date: "date"
    case .time: "time"
    }
  }
}
