/// The facts about names that the text of a script shows, regardless of its execution.
struct SourceFacts {
  /// A name with the place of its first occurrence.
  struct Name: Hashable {
    let text: String
    /// The line, counted from 1.
    let line: Int
    /// The column, counted from 1; nil if it isn't known.
    var column: Int?
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
    let scopes = LuaScopes(reader.tokens)
    locals = Set(scopes.locals.map { Self.text($0.token.bytes) })
    fieldLines = Dictionary(
      uniqueKeysWithValues: reader.fields.map { (Self.text($0.key), $0.value) })
    takesActions = reader.takesActions
    returnlessLines = reader.returnlessLines
    hasDynamicGlobals = reader.hasDynamicGlobals
    hasDynamicState = reader.hasDynamicState
    func names(_ tokens: [ArraySlice<UInt8>: LuaTokens.Token]) -> [Name] {
      tokens.sorted { $0.value.bytes.startIndex < $1.value.bytes.startIndex }
        .prefix(Self.nameCountMax).map { bytes, token in
          Name(
            text: Self.text(bytes), line: token.line,
            column: SourceColumn.of(token.bytes.startIndex, in: source))
        }
    }
    assigned = names(scopes.assigned)
    read = names(scopes.reads.filter { scopes.assigned[$0.key] == nil })
    stateReads = names(reader.found.stateReads)
    calls = names(reader.found.calls)
    targets = names(reader.found.targets)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
