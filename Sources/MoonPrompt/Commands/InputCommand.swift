import MoonTerminal
import Moonwire

/// The command `:input`, which fills in inputs.
struct InputCommand: PromptCommand {
  static let manual = CommandManual(
    name: "input", arguments: "name=text …", summary: "fills in inputs of the screen on top",
    example: ":input name=\"Max M\" size=small")

  let texts: [InputText]

  init(_ texts: [InputText]) { self.texts = texts }

  init(parsing arguments: PromptScanner) throws(PromptLineError) {
    var fields = PayloadScanner(arguments)
    texts = try fields.texts()
    guard !texts.isEmpty else { throw arguments.error(.missingArgument(Self.manual)) }
  }

  static func completion(_ request: CompletionRequest) -> Completion {
    let candidates = NavigationCandidates(snapshot: request.snapshot)
    guard let (word, used) = FieldWords.last(in: request.before[max(0, request.start - 1)...])
    else {
      return .none
    }
    guard let equals = request.before[word...].firstIndex(of: UInt8(ascii: "=")) else {
      return request.from(word).matching(candidates.inputs(besides: used))
    }
    let input = String(decoding: request.before[word..<equals], as: UTF8.self)
    return request.from(equals + 1).matching(candidates.values(ofInput: input))
  }

  func run(in session: PromptSession) async throws(PromptError) -> any PromptAnswer {
    try await session.usingScreen { (host, id, seen) throws(ScreenError) in
      let outcomes = try host.fill(
        texts.map { (input: $0.name, text: $0.text) }, in: id, seen: seen)
      let values = host.shownScreen(in: id)?.maskedInputs ?? Map()
      return Answer(
        values: values,
        changes: outcomes.map { OutcomeAnswer(kind: Self.manual.name, outcome: $0) })
    }
  }

  private struct Answer: PromptAnswer {
    /// The values filled in on the screen on top, without passwords.
    let values: Map
    /// What the actions of the inputs have changed.
    let changes: [OutcomeAnswer]

    var step: StateStep? { changes.last?.step }
    var hasFailures: Bool { changes.contains(where: \.hasFailures) }
    var screenDisplay: ScreenDisplay { changes.last.map { .after($0.outcome) } ?? .never }

    func lines(_ layout: TextLayout) -> [String] {
      [layout.full(.map(values))] + changes.flatMap { $0.lines(layout) }
    }

    var record: Map? {
      var record: Map = ["kind": "input", "values": .map(values)]
      let outcomes = changes.compactMap(\.record)
      if !outcomes.isEmpty { record["outcomes"] = JSONRecord.list(outcomes) { .map($0) } }
      return record
    }
  }
}

extension ShownScreen {
  /// The text typed into visible inputs, with a mask in the place of each password.
  var maskedInputs: Map {
    var masked = Map()
    for input in card?.inputs ?? [] {
      guard let value = inputs[.string(input.id)] else { continue }
      masked[.string(input.id)] = input.isSecret && value != .null ? .string(Self.mask) : value
    }
    return masked
  }

  /// The mask of a password, whose length says nothing.
  private static let mask: Text = "••••"
}
