/// The facts about names that the text of a script shows, regardless of its execution.
struct SourceFacts {
  /// A name with the line of its first occurrence.
  struct Name: Hashable {
    let text: String
    /// The line, counted from 1.
    let line: Int
  }

  /// The texts that fields named `kind` get, as in `{ kind = "note" }`.
  private(set) var kinds: Set<String> = []
  /// The texts in quotes.
  private(set) var quoted: Set<ArraySlice<UInt8>> = []
  /// The names in lines `-- moonwire: allow NAME`.
  private(set) var allowed: Set<String> = []
  /// The globals that are assigned, and those that are only read.
  private(set) var assigned: [Name] = []
  private(set) var read: [Name] = []
  /// The names of locals and parameters.
  private(set) var locals: Set<String> = []
  /// The fields of `state` that are read: `items` in `#state.items`.
  private(set) var stateReads: [Name] = []
  /// All names of fields that are assigned or appear in a table constructor.
  var fields: Set<String> { Set(fieldLines.keys) }
  /// The lines of the first occurrences of these names.
  private(set) var fieldLines: [String: Int] = [:]
  /// The types of actions that are dispatched by name, or stand on buttons: `add` in
  /// `self.dispatch("add")` and `ui.button("Add", "add")`; and URLs on buttons.
  private(set) var targets: [Name] = []
  /// Whether a task waits for actions.
  private(set) var takesActions = false
  /// The commands that are called by name: `todo/total` in `self.call("todo/total")`.
  private(set) var calls: [Name] = []
  /// The lines of functions that contain no `return`, and don't raise errors instead, if no other
  /// function begins there.
  private(set) var returnlessLines: Set<Int> = []
  /// Whether the script may create names of globals at run time.
  private(set) var hasDynamicGlobals = false
  /// Whether the script may create fields of the state at run time.
  private(set) var hasDynamicState = false

  /// The maximum number of names of each sort that are kept for one file.
  static let nameCountMax = 1_000

  init(_ source: [UInt8]) {
    var reader = SourceReader(source)
    reader.read()
    kinds = Set(reader.found.kinds.keys.prefix(Self.nameCountMax).map(Self.text))
    quoted = reader.quoted
    allowed = reader.allowed
    locals = Set(reader.locals.map(Self.text))
    fieldLines = Dictionary(
      uniqueKeysWithValues: reader.fields.map { (Self.text($0.key), $0.value) })
    takesActions = reader.takesActions
    returnlessLines = reader.returnlessLines
    hasDynamicGlobals = reader.hasDynamicGlobals
    hasDynamicState = reader.hasDynamicState
    assigned = names(reader.found.assigned) { !locals.contains($0) }
    let written = Set(assigned.map(\.text))
    read = names(reader.found.reads) { !locals.contains($0) && !written.contains($0) }
    stateReads = names(reader.found.stateReads) { _ in true }
    calls = names(reader.found.calls) { _ in true }
    targets = names(reader.found.targets) { _ in true }
  }

  private func names(
    _ places: [ArraySlice<UInt8>: Int], where isMeant: (String) -> Bool
  ) -> [Name] {
    let found = places.map { Name(text: Self.text($0.key), line: $0.value) }
      .filter { isMeant($0.text) }
      .sorted { ($0.line, $0.text) < ($1.line, $1.text) }
    return Array(found.prefix(Self.nameCountMax))
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
