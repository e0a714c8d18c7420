import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import MoonSession
@testable import Moonwire

struct PromptCompleterTests {
  /// Lines with the cursor at the end, the start of the word, and the expected proposals.
  static let cases: [(line: String, from: Int, texts: [String])] = [
    ("", 0, ["counter/add", "todo/add", "todo/clear"]),
    ("to", 0, ["todo/add", "todo/clear"]), ("  counter/", 2, ["counter/add"]), ("x", 0, []),
    ("counter/add ", 12, ["by=", "fast=", "why="]), ("counter/add b", 12, ["by="]),
    ("counter/add by=2 ", 17, ["fast=", "why="]), ("counter/add by=", 0, []),
    ("counter/add fast=", 17, ["true", "false"]), ("counter/add fast=t", 17, ["true"]),
    ("counter/add why=\"a b\" f", 22, ["fast="]), ("counter/add why=\"a ", 0, []),
    ("counter/add {\"b", 0, []), ("todo/clear ", 11, []), ("no/such ", 0, []),
    (":", 0, PromptCommands.manuals.map { ":\($0.name)" }),
    (":hi", 0, [":history"]), (":reload ", 8, ["counter", "todo"]),
    (":actions t", 9, ["timeline", "todo"]),
    (":actions n", 9, ["nav"]), ("nav/pop_to_", 0, ["nav/pop_to_root"]),
    ("nav/pop_to_root a", 16, ["animated="]), ("= mo", 2, ["moon"]),
    ("= moon.", 2, ["moon.nav", "moon.url"]), ("= 1 + moon.nav.pu", 6, ["moon.nav.push"]),
    ("= moon:u", 2, ["moon:url"]), ("= mine.sub.", 2, ["mine.sub.deep"]), ("= f().", 0, []),
    ("= 1 .. mo", 7, ["moon"]), ("= nothing.", 0, []), ("= 1.", 0, []), ("= 'mo", 0, []),
    (
      ":help r", 6,
      ["routes", "registrations", "record", "reload", "resume", "revoke", "restore-slice"]
    ),
    (":resume t", 8, ["todo"]), (":quit ", 0, []),
    (":nonsense ", 0, []),
    (":state ", 7, ["counter", "todo"]), (":state counter.", 7, ["counter.count"]),
    (":state counter", 7, ["counter.count"]),
    (":state todo.items[", 7, ["todo.items[1]", "todo.items[2]"]),
    (":state todo.items[2].t", 7, ["todo.items[2].title"]),
    (":state todo[", 7, ["todo[\"odd key\"]"]), (":state nowhere.", 7, []),
    ("= state(\"cou", 9, ["counter"]), ("= 1 + state 'counter.", 13, ["counter.count"]),
    ("= dispatch(\"to", 12, ["todo/add", "todo/clear"]), ("= print(\"cou", 0, []), ("= cou", 0, []),
    ("= state(\"counter\").", 0, []), ("# cou", 0, []),
    (":open ", 6, ["/counter", "/detail/", "/detail/new", "app://only/"]),
    (":open /d", 6, ["/detail/", "/detail/new"]), (":routes app", 8, ["app://only/"]),
    (":open n", 6, ["/detail/new"]), (":open d", 0, []),
    (":open /detail/7 fr", 0, []), (":screen l", 8, ["list"]), (":back ", 0, []),
    (":tap ", 5, ["Save", "Save all"]), (":tap Save ", 5, ["Save all"]),
    (":input ", 7, ["name=", "\"first size\"=", "loud="]), (":input lo", 7, ["loud="]),
    (":input name=x ", 14, ["\"first size\"=", "loud="]), (":input loud=", 12, ["yes", "no"]),
    (":input size=", 0, []), (":input name=", 0, []),
  ]

  @Test(arguments: cases)
  func `what fits is proposed and nothing else`(line: String, from: Int, texts: [String]) {
    let completion = PromptCompleter(snapshot: .sample)
      .completion(of: line, cursor: line.utf8.count)
    #expect(completion.candidates.map(\.text) == texts)
    if !texts.isEmpty { #expect(completion.replaceFrom == from) }
  }

  @Test func `only what is before the cursor counts`() {
    let completion = PromptCompleter(snapshot: .sample).completion(of: "todo/add x", cursor: 2)
    #expect(completion.candidates.map(\.text) == ["todo/add", "todo/clear"])
  }

  @Test func `candidates say what they are`() {
    let completer = PromptCompleter(snapshot: .sample)
    func notes(_ line: String) -> [String?] {
      completer.completion(of: line, cursor: line.utf8.count).candidates.map(\.note)
    }
    #expect(notes("counter/a") == ["Adds"])
    #expect(notes("counter/add ") == ["integer, optional", "boolean", "string"])
    #expect(notes(":state ") == ["1 entry", "2 entries"])
    #expect(notes(":state counter.") == ["42"])
    #expect(notes(":open /d") == ["/detail/:id<int>", "new"])
    #expect(notes(":tap ") == ["[1]", "[2]"])
    #expect(notes(":input ") == ["Name", "choice", "Loud"])
    #expect(notes(":screen ") == ["Things"])
  }
}

extension PromptSnapshot {
  /// Two modules, one of which has an unusual key in its state.
  static var sample: PromptSnapshot {
    func field(_ name: String, _ type: String) -> PayloadSchema.Field? {
      PayloadSchema.Field(name: name, type: type)
    }
    let add = PayloadSchema(
      fields: [field("by", "integer?"), field("fast", "boolean"), field("why", "string")]
        .compactMap(\.self))
    var snapshot = PromptSnapshot()
    snapshot.actions = [
      ActionInfo(type: "counter/add", description: "Adds", schema: add, listeners: []),
      ActionInfo(type: "todo/add", description: nil, schema: nil, listeners: []),
      ActionInfo(type: "todo/clear", description: nil, schema: nil, listeners: []),
    ]
    snapshot.modules = ["counter", "todo"]
    snapshot.luaNames = [
      "mine": ["sub": ["deep": "number"]],
      "moon": ["nav": ["push": "function"], "url": "function"],
    ]
    snapshot.routes = [
      route("/counter(/from/:start)"), route("/detail/:id<int>"), route("/detail/new", name: "new"),
      route(":x", name: "any"), route("app://only/:x"),
    ].compactMap(\.self).sorted { $0.pattern.string < $1.pattern.string }
    snapshot.screens = [("list", "Things")]
    snapshot.shown = form
    snapshot.state = [
      "counter": ["count": 42],
      "todo": ["items": [["title": "a"], ["title": "b"]], "odd key": 1],
    ]
    return snapshot
  }

  private static func route(_ text: Text, name: Text? = nil) -> RouteInfo? {
    guard let pattern = try? RoutePattern(parsing: text) else { return nil }
    let route = Route(pattern, name: name, screen: { _, _ in nil })
    guard let owner = ModuleName("shop") else { return nil }
    let module = Module(name: owner)
    return RouteInfo(
      RouteEntry(pattern, owner: "shop", id: 0, name: name), .init(route, of: module))
  }

  private static var form: ShownScreen? {
    let body: Value = [
      ["type": "Input.Text", "id": "name", "label": "Name"],
      [
        "type": "Input.ChoiceSet", "id": "first size",
        "choices": [["title": "Very small", "value": 1], ["title": "Large", "value": 2]],
      ],
      ["type": "Input.Toggle", "id": "loud", "title": "Loud", "label": "Loud"],
      [
        "type": "ActionSet",
        "actions": [
          ["type": "Action.Execute", "title": "Save", "verb": "save"],
          ["type": "Action.Execute", "title": "Save all", "verb": "save"],
        ],
      ],
    ]
    return (try? Card(body)).map { card in
      ShownScreen(
        screen: .init(id: "form"), card: card, failure: nil, inputs: Map(),
        isDrawn: true)
    }
  }
}
