import MoonTerminal
import Moonwire

/// A request for completions at the cursor.
package struct CompletionRequest {
  let snapshot: PromptSnapshot
  /// The line up to the cursor.
  let before: [UInt8]
  /// The start of the word to complete.
  let start: Int

  /// The maximum number of entries proposed from a map or list.
  static let childCountMax = 200

  /// The typed part of the word.
  var typed: String { String(decoding: before[start...], as: UTF8.self) }

  /// Returns the same request for a word that begins elsewhere.
  func from(_ start: Int) -> CompletionRequest {
    CompletionRequest(snapshot: snapshot, before: before, start: start)
  }

  /// Proposes the candidates that begin with the word.
  func matching(_ candidates: [Completion.Candidate]) -> Completion {
    let typed = typed
    return Completion(
      replaceFrom: start, candidates: candidates.filter { $0.text.hasPrefix(typed) })
  }

  /// Proposes modules.
  func modules() -> Completion { matching(snapshot.modules.map { .init($0) }) }

  /// Proposes types of actions, with a suffix after those that take fields.
  func types(suffix: String) -> Completion {
    // The host has many types of its own, so they are proposed only on request.
    let typed = typed
    let own = ["nav/": ActionInfo.navigation, "api/": ActionInfo.requests].filter { owner, _ in
      !typed.isEmpty && (owner.hasPrefix(typed) || typed.hasPrefix(owner))
    }
    let actions = snapshot.actions + own.flatMap(\.value)
    return matching(
      actions.map { action in
        let hasFields = !(action.schema?.fields.isEmpty ?? true)
        return Completion.Candidate(
          action.type, suffix: hasFields ? suffix : "", note: action.description)
      })
  }

  /// Proposes URLs, unless more text follows one.
  func url() -> Completion {
    let typed = typed
    guard !typed.contains(where: \.isWhitespace) else { return .none }
    let urls = NavigationCandidates(snapshot: snapshot).urls(typed: typed)
    return Completion(replaceFrom: start, candidates: urls)
  }

  /// Proposes paths into the state.
  func path() -> Completion {
    let typed = typed
    var found = children(of: PathStem.stem(of: typed)).filter { $0.text.hasPrefix(typed) }
    // For a complete name, proposes its contents.
    if found.count == 1, found[0].text == typed, let path = try? Path(parsing: typed) {
      let below = children(of: path)
      if !below.isEmpty { found = below }
    }
    return Completion(replaceFrom: start, candidates: found)
  }

  private func children(of path: Path?) -> [Completion.Candidate] {
    guard let path, let value = snapshot.state.value(at: path) else { return [] }
    let steps: [(Path.Component, Value)]
    switch value {
    case .map(let map):
      steps = map.prefix(Self.childCountMax).map { (Path.Component($0.key), $0.value) }
    case .list(let list):
      steps = list.prefix(Self.childCountMax).enumerated().map { (.index(Int64($0 + 1)), $1) }
    default: return []
    }
    return steps.map { step, value in
      Completion.Candidate(path.appending(step).description, note: Self.size(of: value))
    }
  }
}

extension CompletionRequest {
  /// Returns the type and size of a value, in a few words.
  fileprivate static func size(of value: Value) -> String {
    switch value {
    case .list(let list): Wording.counted(list.count, "value")
    case .map(let map): Wording.counted(map.count, "entry")
    default: value.canonicalText.count > 30 ? "text" : value.canonicalText
    }
  }
}
