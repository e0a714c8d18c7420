import MoonServices
import MoonTerminal
import Moonwire

/// The command `:help`, which explains the prompt, a command, an action, or a word of scripts.
struct HelpCommand: PromptCommand {
  static let manual = CommandManual(
    name: "help", aliases: ["h", "?"], arguments: "[command, action or function]",
    summary: "describes the prompt, a command, an action, or a function of scripts",
    example: ":help moon.sleep")

  /// The command to explain; nil for the prompt.
  let topic: CommandManual?
  /// The type of the action to explain; nil for none.
  private var action: String?
  /// The word of scripts to explain; nil for none.
  private var word: ScriptWord?
  /// The service, or the function of one, to explain; nil for none.
  private var function: String?

  init(_ topic: CommandManual?) { self.topic = topic }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    let text = arguments.trimmedRest
    guard !text.isEmpty else {
      topic = nil
      return
    }
    if text.contains("/") {
      topic = nil
      action = text
      return
    }
    let word = text.hasPrefix(":") ? String(text.dropFirst()) : text
    topic = PromptCommands.named(word)?.manual
    guard topic == nil else { return }
    // Scripts have parts of `moon` in locals.
    self.word = ScriptLibrary.word(text) ?? ScriptLibrary.word("moon.\(text)")
    if self.word != nil { return }
    // Which services there are, the host knows.
    guard text.hasPrefix("moon.") else { throw arguments.error(.unknownTopic(text)) }
    function = text
  }

  /// Returns the command, or the word of scripts, that a misspelt one may stand for.
  static func nearest(to topic: String) -> String? {
    if topic.contains(".") || topic.contains(":"), !topic.hasPrefix(":") {
      return Spelling.nearest(to: topic, in: ScriptLibrary.words.map(\.path))
    }
    let name = topic.hasPrefix(":") ? String(topic.dropFirst()) : topic
    if let command = PromptCommands.nearest(to: name) { return ":\(command)" }
    // Compared without what all of them begin with, which would make any short word similar.
    let (library, words) = ("moon.", ScriptLibrary.words.map(\.path))
    let names = words.filter { $0.hasPrefix(library) }.map { String($0.dropFirst(library.count)) }
    return Spelling.nearest(to: name, in: names).map { library + $0 }
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    let words = request.typed.isEmpty ? [] : ScriptLibrary.words
    let services = request.typed.isEmpty ? [] : Service.standard
    return request.matching(
      PromptCommands.manuals.map { .init($0.name, note: $0.summary) }
        + words.map { .init($0.path, note: $0.help) }
        + services.flatMap { service in
          [.init("moon.\(service.name)", note: service.summary)]
            + service.functions.map {
              .init("moon.\(service.name).\($0.name)", note: $0.summary)
            }
        })
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    if let word { return WordAnswer(word: word) }
    if let function { return try FunctionAnswer.of(function, session.host.services) }
    guard let action else { return Answer(topic: topic) }
    let known = await ActionsCommand.known(in: session)
    let found = known.filter { $0.type == action }
    let commands = await session.host.perform { CommandInfo.all(on: $0) }.filter {
      $0.type == action
    }
    guard found.isEmpty, commands.isEmpty else {
      let type = Text(action)
      return TypeAnswer(
        list: ActionsCommand.Answer(actions: found, commands: commands),
        listeners: await session.host.perform { ListedRegistration.all(listeningTo: type, on: $0) })
    }
    let names = known.map(\.type) + (await session.host.commandNames())
    let nearest = Spelling.nearest(to: action, in: names)
    throw .dispatch(.unknownType(action, nearest: nearest))
  }

  struct Answer: PromptAnswer {
    let topic: CommandManual?

    /// The other kinds of line that can be typed.
    private static let lines: [(usage: String, summary: String)] = [
      ("counter/add", "dispatches an action"),
      ("counter/add by=2 why=\"fun\"", "with a payload of JSON values or bare words"),
      ("counter/add {\"by\": 2}", "the same, with the payload as JSON"),
      ("= 1 + state(\"counter\").count", "evaluates Lua, which may call dispatch(type, payload)"),
    ]

    func lines(_ layout: TextLayout) -> [String] { lines(layout.style) }

    func lines(_ style: Style) -> [String] {
      guard let topic else {
        let lines = Self.lines + PromptCommands.manuals.map { ($0.usage, $0.summary) }
        let width = lines.map(\.usage.count).max() ?? 0
        return lines.map { usage, summary in
          style.paint(usage, .key)
            + String(repeating: " ", count: width - usage.count + 2) + summary
        }
      }
      let example = topic.example.map { ["  for example  \($0)"] } ?? []
      return [style.paint(topic.usage, .key) + "  " + topic.summary] + example
    }

    var record: Map? {
      ["kind": "help", "lines": JSONRecord.list(lines(.plain), JSONRecord.text)]
    }
  }

  /// The fields of an action or a command, and the registrations that an action concerns.
  struct TypeAnswer: PromptAnswer {
    let list: ActionsCommand.Answer
    let listeners: [ListedRegistration]

    func lines(_ layout: TextLayout) -> [String] {
      list.lines(layout) + listeners.map { "  " + $0.line(layout) }
    }

    var record: Map? {
      var map = list.record ?? Map()
      map["registrations"] = JSONRecord.list(listeners, \.record)
      return map
    }
  }

  struct WordAnswer: PromptAnswer {
    let word: ScriptWord

    func lines(_ layout: TextLayout) -> [String] {
      [layout.style.paint(word.usage, .key) + "  " + word.help]
    }

    var record: Map? {
      ["kind": "help", "lines": .list([.string(Text("\(word.usage)  \(word.help)"))])]
    }
  }
}
