import Foundation
import Testing

/// The reference pages list exactly what the sources have.
struct ReferenceTableTests {
  private static func source(_ path: String) throws -> String {
    try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
  }

  /// Returns the cells of all rows of a page's tables, without headings.
  private static func rows(of page: String) throws -> [[String]] {
    try source("Sources/Moonwire/Moonwire.docc/\(page).md").split(separator: "\n").filter {
      $0.hasPrefix("| ")
    }.map { row in
      // A bar within a cell is escaped with a backslash.
      row.replacing("\\|", with: "\u{0}").split(separator: "|", omittingEmptySubsequences: false)
        .dropFirst().dropLast().map {
          $0.replacing("\u{0}", with: "|").trimmingCharacters(in: .whitespaces)
        }
    }
  }

  @Test func `every key of a module's table is in the reference, and each of its is one`() throws {
    let readers = SourceFile.all(under: "Sources/MoonScripts/Readers")
    let keys = readers.flatMap { $0.text.matches(of: /= KeyReader\(\s*"(\w+)"/) }.map {
      String($0.1)
    }
    #expect(keys.count > 15)
    let rows = try Self.rows(of: "Reference/ModuleKeys").filter { $0.count == 3 }
    let told = rows.compactMap { $0[0].wholeMatch(of: /`(\w+)`/).map { String($0.1) } }
    #expect(told.sorted() == keys.sorted())
  }

  @Test func `every reader of a key is among those that read a module`() throws {
    let readers = SourceFile.all(under: "Sources/MoonScripts/Readers")
    let names = readers.flatMap { $0.text.matches(of: /static let (\w+) = KeyReader\(/) }
    let reader = try Self.source("Sources/MoonScripts/Readers/ModuleKeys.swift")
    let list = try #require(
      reader.firstMatch(of: /static let readers: \[KeyReader\] = \[([^\]]*)\]/))
    let listed = list.1.matches(of: /\.(\w+)/).map { String($0.1) }
    #expect(listed.count > 15)
    #expect(listed.sorted() == names.map { String($0.1) }.sorted())
  }

  @Test func `every command of the prompt is in its guide, and each of the guide's is one`() throws
  {
    let commands = SourceFile.all(under: "Sources/MoonPrompt/Commands").filter {
      $0.text.contains(#/\nstruct \w+: (Prompt|Module)Command /#)
    }
    let names = commands.flatMap {
      $0.text.matches(of: /CommandManual\(\s*name: "([\w-]+)"/).map { String($0.1) }
    }
    #expect(names.count == commands.count && names.count > 20)
    let told = try Self.rows(of: "Guides/ThePrompt").compactMap {
      $0[0].firstMatch(of: /^`:([\w-]+)/).map { String($0.1) }
    }
    #expect(Set(told) == Set(names))
  }

  @Test func `every renamed key is in the reference with its new name`() throws {
    let reader = try Self.source("Sources/MoonScripts/Readers/ModuleKeys.swift")
    let list = try #require(reader.firstMatch(of: /static let renamedKeys = \[([^\]]*)\]/))
    let pairs = list.1.matches(of: /"(\w+)": "(\w+)"/).map { ["`\($0.1)`", "`\($0.2)`"] }
    #expect(pairs.count == 4)
    let rows = try Self.rows(of: "Reference/ModuleKeys").filter { $0.count == 2 }
    for pair in pairs { #expect(rows.contains(pair), "\(pair)") }
  }

  @Test func `every completion of the navigation is in its guide`() throws {
    let values = try Self.source("Sources/MoonNavigation/Values/CompletionValues.swift")
    let list = try #require(values.firstMatch(of: /static let types: \[Text\] = \[([^\]]*)\]/))
    let types = list.1.matches(of: /"nav\/(\w+)"/).map { "`nav/\($0.1)`" }
    #expect(types.count == 19)
    let told = try Self.rows(of: "Guides/Navigation").filter { $0[0].hasPrefix("`nav/did_") }
    #expect(told.map { $0[0] } == types)
  }

  @Test func `every element and action of a screen is in the reference`() throws {
    var types: Set<String> = ["AdaptiveCard", "TextRun"]
    for file in SourceFile.all(under: "Sources/MoonCards/Reading") {
      for line in file.lines where line.contains("case \"") {
        types.formUnion(
          line.matches(of: /"((?:Action\.|Input\.|[A-Z])[A-Za-z]+)"/).map { String($0.1) })
      }
    }
    let known = try Self.source("Sources/MoonCards/Card.swift")
    for type in types where type != "TextRun" && type != "AdaptiveCard" && type != "TableCell" {
      #expect(known.contains("\"\(type)\""), "Card.elementTypes and actionTypes lack \(type)")
    }
    types.remove("TableCell")  // Made by rows of a table, as text.
    #expect(types.count > 15)
    let page = try Self.source("Sources/Moonwire/Moonwire.docc/Reference/Elements.md")
    for type in types { #expect(page.contains(type), "\(type)") }
    let constructors = try Self.source("Sources/MoonScripts/Bindings/ui.lua")
    let random = try Self.source("Tests/MoonCardsTests/RandomCards.swift")
    for type in types where type != "AdaptiveCard" {
      #expect(constructors.contains("\"\(type)\""), "ui.lua makes no \(type)")
      #expect(random.contains("\"\(type)\""), "RandomCards makes no \(type)")
    }
  }

  @Test func `every kind of a result in JSON is in the reference`() throws {
    var kinds: Set<String> = []
    for file in ["MoonCommand", "MoonPrompt"].flatMap({ SourceFile.all(under: "Sources/\($0)") }) {
      kinds.formUnion(file.text.matches(of: /\bkind"?: "([\w-]+)"/).map { String($0.1) })
      if file.text.contains("Self.manual.name") {
        kinds.formUnion(
          file.text.matches(of: /CommandManual\(\s*name: "(\w+)"/).map { String($0.1) })
      }
    }
    #expect(kinds.count > 15)
    let told = try Self.rows(of: "Guides/TheCommand").filter { $0.count == 2 }.map { $0[0] }
      .joined(separator: " ")
    for kind in kinds { #expect(told.contains("`\(kind)`"), "\(kind)") }
  }

  /// The limits of the reference, each with the file and the constant, or the text before the
  /// number.
  static let limits: [(what: String, file: String, constant: String)] = [
    ("`load`", "CallKind", "loading"),
    ("`memory`", "HostOptions", "moduleMemoryQuota"),
    ("`state`", "HostOptions", "moduleStateQuota"), ("`faults`", "Suspension", "faultsMax"),
    ("`tasks`", "TaskLimits", "countMax"),
    ("parts of a state or payload that is a Swift type", "ValueEncoder", "partCountMax"),
    ("turns of tasks before other work of the host", "TurnBudget", "countMax"),
    ("milliseconds of these turns", "TurnBudget", "millisecondsMax"),
    (
      "milliseconds of work of modules before an action from outside", "WorkSlice",
      "millisecondsMax"
    ),
    (
      "milliseconds of a module's turns before it waits behind those that have used less",
      "TimeAccount", "static var lightMillisecondsMax"
    ),
    (
      "milliseconds of others' work for which an action keeps its place before later ones",
      "ActionQueue", "static var placeMillisecondsMax"
    ),
    ("actions that wait for one effect with `queue`", "EffectPolicy", "queuedMax"),
    ("effects that follow from one another without a rest", "EffectChain", "countMax"),
    ("shortest interval of a timer", "MoonModules/Schedule", "intervalMin"),
    ("endings of tasks kept", "MoonTasks/TaskEndings", "countMax"),
    (
      "faults of tasks kept, and failures", "BackgroundResults",
      "countMax"
    ),
    ("handles of services that a module has open", "OpenHandles", "countMax"),
    ("bytes of one answer of a service", "ServiceCall", "standardAnswerBytesMax"),
    (
      "bytes from which anything counts that the host holds for a module", "HeldMemory",
      "static let countedBytesMin"
    ),
    ("values that a source of a stream keeps", "ServiceStream", "bufferCountMax"),
    ("threads of services", "BlockingThreads", "countMax"),
    ("threads of services for one module", "BlockingThreads", "shareMax"),
    ("seconds for an answer over HTTP, without `timeout`", "OutgoingRequest", "answerSecondsMax"),
    ("seconds for a connection, without `connect_timeout`", "OutgoingRequest", "connectSecondsMax"),
    ("seconds without a byte, without `read_timeout`", "OutgoingRequest", "readSecondsMax"),
    (
      "redirects that a request follows, without `redirects`", "OutgoingRequest", "redirectCountMax"
    ),
    ("bytes of the URL of a request", "WebAddress", "byteCountMax"),
    ("bytes of a body that is read in parts, without `max_bytes`", "HTTPDownload", "bytesMax"),
    ("connections of a module to one address", "ConnectionPool", "hostConnectionCountMax"),
    ("connections of a module to all addresses", "ConnectionPool", "connectionCountMax"),
    ("modules whose idle connections are kept", "NetworkLoop", "poolCountMax"),
    ("threads for the connections of modules, one each", "HTTPNetwork", "laneCountMax"),
    ("bytes of the headers of an answer", "AnswerHead", "bytesMax"),
    ("names that are looked up at the same time", "BlockingThreads", "countMax"),
    ("names that are looked up at the same time for one module", "BlockingThreads", "shareMax"),
    ("names whose addresses are kept", "NameLookup", "nameCountMax"),
    ("bytes of one event of a server", "EventParser", "eventBytesMax"),
    (
      "failed attempts to connect again for events, without `retries`", "EventSource",
      "retryCountMax"
    ),
    (
      "bytes of one message of a WebSocket, without `max_bytes`", "WebSockets/WebSocket",
      "messageBytesMax"
    ),
    (
      "bytes of one message of a WebSocket, with `max_bytes`", "WebSockets/WebSocket",
      "messageBytesLimit"
    ),
    ("parts of one message of a WebSocket", "WebSocketFrames", "fragmentCountMax"),
    ("messages of a WebSocket that nobody has read", "WebSocketOpening", "messageCountMax"),
    ("seconds for closing a WebSocket", "WebSocketConnection", "closeSecondsMax"),
    ("bytes that a module keeps in the storage", "StorageLimits", "moduleBytesMax"),
    ("bytes of a key in the storage", "StorageLimits", "keyBytesMax"),
    ("bytes of a value in the storage, as text", "StorageLimits", "valueBytesMax"),
    ("bytes of a refusal with its details", "LuaError", "valueBytesMax"),
    ("tables within each other in the type of a field", "FieldTypeReading", "depthMax"),
    ("entries on one page of the storage", "StorageLimits", "pageCountMax"),
    ("keys that one transaction changes, and reads", "StorageLimits", "transactionKeyCountMax"),
    ("seconds to wait for another program that writes", "StorageLimits", "busySecondsMax"),
    (
      "seconds that a repeated transaction waits for another one", "StorageLimits", "turnSecondsMax"
    ),
    ("attempts of one transaction", "StorageLimits", "attemptCountMax"),
    ("entries on a page without `limit`", "StorageLimits", "let pageCount ="),
    ("programs' reads of one storage at the same time", "StorageLimits", "readerCountMax"),
    ("damaged files kept in one directory", "StorageFile", "keptCountMax"),
    ("seconds of one sleep", "HostCall", "secondsMax"),
    (
      "time of all modules for one action, one drawing of a screen, or what a reload leads to",
      "HostOptions", "actionBudget"
    ),
    ("time of everything that follows from one action", "HostOptions", "followingBudget"),
    ("actions that one action may lead to", "Session/SessionLoop", "followingMax"),
    ("actions that are carried out as one", "Session/SessionLoop", "batchMax"),
    ("actions that one call of `after_reduce` returns in Swift", "AfterReduceStage", "countMax"),
    ("states that a reader may lag behind", "HostStates", "countMax"),
    ("entries under `after_reduce`", "MiddlewareReader", "\"after_reduce\", countMax:"),
    ("paths of one entry under `observe`", "ObserverReader", "observedPathsMax"),
    ("actions that wait in a session", "Session/ActionQueue", "countMax"),
    ("bytes of the actions that wait", "Session/ActionQueue", "bytesMax"),
    ("mappers that follow from one another", "ModuleMapperStage", "depthMax"),
    ("actions that the mappers of one action make", "ModuleMapperStage", "countMax"),
    ("navigations that follow from one another", "NavigationChain", "followingMax"),
    ("redirects of one routing", "RoutingSequence", "redirectsMax"),
    ("waits of one routing for observers", "RoutingGuards", "waitsMax"),
    ("parents below one screen", "RoutedScreen", "parentCountMax"),
    ("actions in the history", "History", "countMax"),
    ("bytes of the actions in the history", "History", "bytesMax"),
    ("events that a reader may lag behind", "HostEvent", "countMax"),
    ("slices of one module that are put aside", "KeptSlices", "countMax"),
    ("lists and maps in one another", "Value", "depthMax"),
    ("elements that one call hands over", "Extent", "countMax"),
    ("changes that are reported at once", "Diff", "changeCountMax"),
    ("bytes of one script", "ScriptDirectory", "fileSizeMax"),
    ("bytes of all files of a module", "LoadedFiles", "bytesMax"),
    ("files of a directory", "ScriptDirectory", "fileCountMax"),
    ("directories of a directory", "ScriptDirectory", "directoryCountMax"),
    ("directories in one another", "ScriptDirectory", "depthMax"),
    ("characters of a module's name", "ModuleName", "lengthMax"),
    ("bytes of a scope", "Grants/Scope", "byteCountMax"),
    ("problems reported for one file", "FormReader", "problemsMax"),
    ("entries under `actions`", "ActionReader", "\"actions\", countMax:"),
    ("entries under `reducers`", "ReducerReader", "\"reducers\", countMax:"),
    ("entries under `effects`", "EffectReader", "\"effects\", countMax:"),
    ("entries under `views`", "ScreenReader", "\"views\", countMax:"),
    ("entries under `keys`, and in all tables there", "KeyBindingReader", "countMax"),
    ("keys that are pressed one after another", "KeySequence", "lengthMax"),
    ("keys of a person for one directory", "KeysFile", "static let countMax"),
    ("entries under `middleware`", "MiddlewareReader", "\"middleware\", countMax:"),
    (
      "entries under any other key but `state`, `routes` and `handlers`", "ModuleReader",
      "countMax: Int"
    ),
    ("time until a save that failed to load is tried again", "Reload/Retries", "delay"),
    (
      "time for loading changed files before other work of the host", "Reload/Reloader",
      "static let loadTimeMax"
    ),
    ("calls of functions of `t` by one test", "FunctionTestRun", "requestCountMax"),
    ("time between checks of the files, with `--poll`", "DirectoryWatcher", "pollInterval"),
    ("steps of a timeline", "Timeline/Timeline", "public static let countMax"),
    (
      "memory of a timeline's states, besides what they share", "Timeline/Timeline",
      "public static let bytesMax"
    ),
    ("bytes of a URL", "RouteRequest", "byteCountMax"),
    ("segments of a URL", "RouteRequest", "segmentCountMax"),
    ("parameters of a query", "RouteRequest", "queryCountMax"),
    ("bytes of a pattern", "RoutePattern", "byteCountMax"),
    ("components of a pattern", "RoutePattern", "componentCountMax"),
    (
      "places tried for the texts between a component's parameters", "ComponentParts",
      "trialCountMax"
    ),
    ("optional groups of a pattern", "RoutePattern", "groupCountMax"),
    ("patterns that the groups of one pattern stand for", "RoutePattern", "variantCountMax"),
    ("routes of all modules", "RouteTableBuilder", "routeCountMax"),
    ("`guard`", "TaskLimits", "guardTimeMax"),
    ("commands that call each other", "CommandCalls", "depthMax"),
    (
      "screens of one module that are presented over one another", "PresentedLimit", "countMax"
    ),
    ("screens of one module, with the containers that hold them", "ModuleShare", "nodeCountMax"),
    ("bytes of the screens of all modules", "NavigationTree", "storageCostMax"),
    ("bytes of the screens of one module", "ModuleShare", "storageCostMax"),
    ("windows of one module", "ModuleShare", "windowCountMax"),
    ("bytes of a screen's kind, and of an id", "NavigationTree", "nameBytesMax"),
    ("windows", "NavigationTree", "windowCountMax"),
    ("tabs of a container", "NavigationTree", "tabCountMax"),
    ("screens and containers in all", "NavigationTree", "nodeCountMax"),
    ("lists and maps in one another, in a body", "Card", "depthMax"),
    ("parts of a body", "Card", "partCountMax"),
    ("rows of a list that is drawn in part", "CardList", "rowCountMax"),
    ("rows that are drawn of such a list", "ScreenRecords", "rowsMax"),
    ("bytes of one text in a body", "Card", "textBytesMax"),
    ("marks of emphasis in one text", "MarkdownRuns", "markCountMax"),
    ("bytes of all texts in a body", "Card", "cardBytesMax"),
    (
      "steps of an input's `regex`, about its characters with those that are repeated counted each "
        + "time", "TextPattern", "stepCountMax"
    ),
    ("groups of a `regex` in one another", "TextPattern", "depthMax"),
    (
      "characters of a text that is compared with a `regex`", "TextPattern", "textLengthMax"
    ),
    ("calls of extensions for one screen", "SlotFilling", "callCountMax"),
    ("inputs that wait for the values that modules fill in", "InputRequest", "countMax"),
    ("lines that a module logs in a second", "Bindings/LogLimit", "linesMax"),
    ("bytes that a module logs in a second", "Bindings/LogLimit", "bytesMax"),
    ("bytes of one logged line", "Bindings/LogLimit", "lineBytesMax"),
    ("names that are looked for beside misspelt ones at once", "Names/Suggestions", "countMax"),
    (
      "bytes of all patterns of routes among which one like a mistyped URL is looked for",
      "Registry/Router", "comparedByteCountMax"
    ),
    ("events about failures that a module causes, in a second", "FailureLimit", "countMax"),
    ("memory of what is typed at the prompt", "HostOptions", "memoryQuota"),
    (
      "time of code that is typed at the prompt of a served app, from one wait to the next",
      "HostOptions", "servedBudget"
    ),
    ("bytes of one line that is piped", "PlainLineReader", "lineByteCountMax"),
    ("entries of the prompt's history", "HistoryFile", "entryCountMax"),
    (
      "bytes of a journal, above which its oldest records are dropped", "JournalWriter", "bytesMax"
    ),
    (
      "bytes of the file beside a journal, above which writing waits until they are moved",
      "Checkpoints", "waitingBytesMax"
    ),
    (
      "records that are written at once, before more are waited for", "PendingRecords", "countMax"
    ),
    ("bytes of these records", "PendingRecords", "bytesMax"),
    (
      "changes of one commit that are kept one by one; if there are more, whole slices are",
      "StateEdits", "countMax"
    ),
    (
      "bytes of changes between two whole states, or as many as the state has", "JournalWriter",
      "bytesMin"
    ),
    ("changes between two whole states of at most 64 KB", "JournalWriter", "countMax"),
    ("bytes of a recording that is read", "RecordedRun", "byteCountMax"),
    ("bytes of a list of actions that is read", "ActionList", "byteCountMax"),
    ("durable tasks of a session", "KeptTasks", "countMax"),
    ("durable tasks of one module", "KeptTasks", "moduleCountMax"),
    ("calls of the host in the journal of one durable task", "DurableTask", "callCountMax"),
    ("bytes of the journal of one durable task", "DurableTask", "byteCountMax"),
    ("entries of a directory that `moon.files.list` returns", "FileReading", "entryCountMax"),
    ("directories in one another that `moon.files.remove` removes", "DirectoryChanges", "depthMax"),
    ("paths whose changes wait for a script", "PendingChanges", "countMax"),
    ("attempts to open a file that is replaced meanwhile", "GrantedFiles", "attemptMax"),
    ("milliseconds to wait until no process has a new file open", "FileWriting", "waitCountMax"),
    ("programs that a module runs at a time", "ProcessRegistrations", "countMax"),
    ("bytes of a line of a program", "LineSplitter", "bytesMax"),
    ("bytes of a program's errors that a failure shows", "CollectedOutput", "static let bytesMax"),
    ("time from SIGTERM to SIGKILL", "ProcessEnding", "grace"),
    (
      "entries of an archive or a folder from which a module is added", "SourceTree",
      "entryCountMax"
    ),
    ("bytes of the files of such an archive or folder", "SourceTree", "byteCountMax"),
    ("files of a module that is added", "Packages/ModuleChanges", "fileCountMax"),
    ("bytes of `moonwire.lock`", "ModuleLock", "byteCountMax"),
    ("seconds for fetching a revision with git", "GitRepository", "secondsMax"),
    (
      "bytes of each file that git writes meanwhile", "GitRepository", "static let packByteCountMax"
    ),
    (
      "seconds to wait for another program that changes the modules", "Packages/ModuleChanges",
      "waitSecondsMax"
    ),
    ("bytes of a line of a client", "ClientConnection", "lineBytesMax"),
    ("requests of a client that wait, and of a batch", "Messages/Request", "countMax"),
    ("subscriptions of a client", "Subscriptions", "countMax"),
    ("clients of a host", "LinkServer", "clientCountMax"),
    (
      "milliseconds until another client is let in after the system had no descriptor left",
      "LinkLoop", "pauseMilliseconds"
    ),
    (
      "bytes that wait for a client, above which subscriptions hold back", "ServedClient",
      "congestionBytesMax"
    ),
    (
      "bytes that wait for a client, above which its connection is ended", "ServedClient",
      "waitingBytesMax"
    ),
    ("bytes of a line of a host, for clients", "HostLink", "lineBytesMax"),
    ("states of a session that a subscription can go on from", "RecentStates", "countMax"),
    (
      "bytes of what differs between the states that a subscription can go on from",
      "RecentStates", "byteCountMax"
    ),
    ("bytes of the states in events that wait to be shown", "EventInbox", "byteCountMax"),
    ("bytes of the path of a socket", "UnixSocket", "pathBytesMax"),
    (
      "sessions of a host, above which a client can't open another", "ProtocolServer",
      "sessionCountMax"
    ),
    (
      "actions whose payloads the annotations for editors give to `self.dispatch`", "ProjectTypes",
      "overloadCountMax"
    ),
    ("nesting of a type in these annotations, below which it is `any`", "LuaType", "depthMax"),
    ("fields of a table in these annotations", "LuaType", "fieldCountMax"),
    ("bytes of the annotations", "TypesFile", "byteCountMax"),
    ("remarks of each sort by a check on one file", "SourceRemarks", "countMax"),
    ("remarks on locals that a check shows", "CheckFindings", "localCountMax"),
    ("bytes of a line before a finding whose column is counted", "SourceRemarks", "byteCountMax"),
    ("words of one file that tell which modules belong together", "QuotedWords", "countMax"),
  ]

  @Test func `every limit of the reference is that of the sources`() throws {
    var rows: [String: String] = [:]
    for row in try Self.rows(of: "Reference/Limits") where row[0] != "name" && row.count > 1 {
      guard let value = row.last, value.first?.isNumber ?? false else { continue }
      rows[row[0]] = value
    }
    let files = SourceFile.all(under: "Sources")
    // One kind has its own budget; the others share one.
    let kinds = try Self.callKinds().filter { $0 != "load" }
    #expect(kinds.count >= 7)
    let limits = Self.limits + kinds.map { ("`\($0)`", "CallKind", "calling") }
    for (what, name, constant) in limits {
      let row = rows.removeValue(forKey: what)
      let told = try #require(row, "the reference lacks \(what)")
      let file = try #require(files.first { $0.path.hasSuffix("/\(name).swift") }, "\(name)")
      let value = try #require(
        Self.value(of: constant, in: file.text), "\(name).\(constant) isn't there")
      #expect(
        Self.amount(told) == Self.amount(value) && Self.amount(told) != nil,
        "\(what) is \(told), and \(name).\(constant) is \(value)")
    }
    #expect(rows.isEmpty, "no constant says these")
  }

  @Test func `the shares of a module's memory in the reference are those of the sources`() throws {
    let rows = try Self.rows(of: "Reference/Limits")
      .filter { $0.last?.contains(" of `memory`") == true }
    let source = try Self.source("Sources/CMoonLua/calls.c")
    #expect(
      rows == [
        ["bytes of the arguments of one call of a service", "an eighth of `memory`"],
        ["bytes of the arguments of any other call of the host", "a quarter of `memory`"],
      ])
    #expect(source.contains("\n#define SERVICE_SHARE 8\n"))
    #expect(source.contains("\n#define CALL_SHARE 4\n"))
  }

  /// Returns the cases of `CallKind`.
  private static func callKinds() throws -> [String] {
    let file = try source("Sources/MoonScripts/CallKind.swift")
    let declaration = file[..<(try #require(file.firstRange(of: "\n}")).lowerBound)]
    return declaration.matches(of: /\n  case (\w+)/).map { String($0.1) }
  }

  /// Returns the value assigned to a constant, or the text after another text that isn't a name.
  private static func value(of constant: String, in text: String) -> String? {
    let isName = constant.wholeMatch(of: /\w+/) != nil
    for line in text.split(separator: "\n") {
      guard let range = line.range(of: isName ? " \(constant)" : constant),
        !isName || line.contains("let ") || line.contains("var "),
        let match = line[range.upperBound...].prefixMatch(
          of: /\W[^={]*?[={]? *(\.\w+\(\d+\)|\d[\d_]*(?: (?:<<|\*) \d+)?)/)
      else { continue }
      return String(match.1)
    }
    return nil
  }

  /// Reads an amount from the reference or the sources: a number, bytes or milliseconds.
  private static func amount(_ text: String) -> Int? {
    let text = text.replacing(/[,_]/, with: "")
    if let match = text.firstMatch(of: /^(\d+) ?(?:<<|\*) ?(\d+)/) {
      guard let left = Int(match.1), let right = Int(match.2) else { return nil }
      return text.contains("<<") ? left << right : left * right
    }
    let units = [
      ("MB", 1 << 20), ("KB", 1 << 10), ("ms", 1), ("milliseconds", 1), ("seconds", 1000),
      ("s", 1000),
    ]
    guard let number = text.firstMatch(of: /\d+/).flatMap({ Int($0.0) }) else { return nil }
    let word = text.firstMatch(of: /[A-Za-z]+/).map { String($0.0) }
    guard let word else { return number }
    return units.first { $0.0 == word }.map { number * $0.1 }
  }
}
