import MoonTerminal
import Moonwire

/// The command `:state`, which shows the state or a part of it.
struct StateCommand: PromptCommand {
  static let manual = CommandManual(
    name: "state", arguments: "[path]",
    summary: "shows the state, or the part of it under a path",
    example: ":state todo.items[1].title")

  let path: Path

  init(_ path: Path) { self.path = path }

  init(parsing arguments: PromptScanner) throws(PromptLineError) { path = try arguments.path() }

  static func completion(_ request: CompletionRequest) -> Completion { request.path() }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    let whole = await session.host.state(of: session.id) ?? .map(Map())
    guard let value = whole.value(at: path) else {
      throw .noValue(at: path, nearest: Self.nearest(to: path, in: whole))
    }
    return Answer(path: path, value: value)
  }

  /// Returns the path up to the first step that doesn't exist, with a similar step in its place if
  /// there is one.
  private static func nearest(to path: Path, in whole: Value) -> Path? {
    var sure = Path()
    var value = whole
    for component in path.components {
      let further = sure.appending(component)
      if let next = whole.value(at: further) {
        (sure, value) = (further, next)
        continue
      }
      guard let map = value.mapValue, case .key(let wanted) = component else { break }
      let names = map.keys.compactMap { key in
        if case .string(let text) = key { text.string } else { String?.none }
      }
      return Spelling.nearest(to: wanted.string, in: names).map {
        sure.appending(.key(Text($0)))
      }
    }
    return sure.components.isEmpty ? nil : sure
  }

  private struct Answer: PromptAnswer {
    let path: Path
    let value: Value

    func lines(_ layout: TextLayout) -> [String] {
      // A value requested by name is shown in full, within limits.
      [path.components.isEmpty ? layout.full(value) : layout.whole(value)]
    }

    var record: Map? {
      ["kind": "state", "path": .string(Text(path.description)), "value": value]
    }
  }
}
