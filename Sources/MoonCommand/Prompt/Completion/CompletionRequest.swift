import MoonTerminal
import Moonwire

/// What somebody has typed up to the cursor, and what can be proposed there.
struct CompletionRequest {
  let snapshot: PromptSnapshot
  /// The line up to the cursor.
  let before: [UInt8]
  /// Where the word that is completed begins.
  let start: Int

  /// How many entries of one map or list are proposed.
  static let childCountMax = 200

  /// What has been typed of the word.
  var typed: String { String(decoding: before[start...], as: UTF8.self) }

  /// The same about a word that begins elsewhere.
  func from(_ start: Int) -> CompletionRequest {
    CompletionRequest(snapshot: snapshot, before: before, start: start)
  }

  /// Proposes those candidates that the word begins.
  func matching(_ candidates: [Completion.Candidate]) -> Completion {
    let typed = typed
    return Completion(
      replaceFrom: start, candidates: candidates.filter { $0.text.hasPrefix(typed) })
  }

  /// Proposes modules.
  func modules() -> Completion { matching(snapshot.modules.map { .init($0) }) }

  /// Proposes types of actions, with a suffix after those that take fields.
  func types(suffix: String) -> Completion {
    matching(
      snapshot.actions.map { action in
        let hasFields = !(action.schema?.fields.isEmpty ?? true)
        return Completion.Candidate(
          action.type, suffix: hasFields ? suffix : "", note: action.description)
      })
  }

  /// Proposes URLs, unless what is typed goes on behind one.
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
    // A finished name opens what is in it.
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
  /// What a value is, and how large, in a few words.
  fileprivate static func size(of value: Value) -> String {
    switch value {
    case .list(let list): Wording.counted(list.count, "value")
    case .map(let map): Wording.counted(map.count, "entry")
    default: value.canonicalText.count > 30 ? "text" : value.canonicalText
    }
  }
}
