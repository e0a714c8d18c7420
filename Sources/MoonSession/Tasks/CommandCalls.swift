import MoonActions
package import MoonModules
import MoonServiceKit
import MoonTasks
package import MoonValues

/// The calls of commands: each is a task of the command's module.
package struct CommandCalls {
  /// The maximum number of commands that call each other.
  static let depthMax = 32
  /// The number of names that an error shows from the end of such a chain.
  private static let shownMax = 6

  private let session: Session

  package init(_ session: Session) { self.session = session }

  /// Begins a command at its first turn; returns its task.
  ///
  /// The task belongs to the one that calls, nil for none, and is cancelled with it. `answer`
  /// receives the result unless the command is never begun.
  ///
  /// - Throws: ``CommandError`` if there is nothing to call.
  @discardableResult
  package func begin(
    _ name: Text, _ payload: Value, by caller: TaskID?, within time: Duration? = nil,
    then answer: @escaping (Result<Value, CommandError>) -> Void
  ) throws(CommandError) -> TaskID {
    let command = try command(name, payload)
    var payload = payload
    if let schema = command.part.schema {
      payload = schema.withoutNulls(payload)
      let problems = schema.problems(in: payload)
      guard problems.isEmpty else { throw .invalidPayload(name, problems: problems) }
    }
    let parent = caller.flatMap { session.tasks[$0] ?? session.tasks.current }
    try checkDepth(name, parent)
    var asker: EffectTask.Asker?
    let made = EffectTask.Asker(within: time) { ending in
      answer(Self.result(of: ending, name, hasExpired: asker?.hasExpired ?? false))
      asker = nil
    }
    asker = made
    do throws(TaskError) {
      return try session.tasks.begin(
        command.part.body(payload), as: command, on: parent?.action ?? Action(name, payload),
        by: parent, for: made)
    } catch {
      throw .notBegun(error.text)
    }
  }

  /// Returns the first command of a name that takes the payload.
  private func command(
    _ name: Text, _ payload: Value
  ) throws(CommandError) -> Bound<Command> {
    let parts = name.string.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let owner = ModuleName(String(parts[0])), !parts[1].isEmpty else {
      throw .malformed(name)
    }
    let all = commands(named: name.string, of: owner)
    let suspended = session.modules.suspension.modules
    let asked = all.filter { !suspended.contains($0.owner) }
    for command in asked where takes(command, payload) { return command }
    if !asked.isEmpty { throw .notResponsible(name, asked: asked.map(\.owner)) }
    if let first = all.first { throw .suspended(first.owner) }
    guard let module = session.modules[owner]?.module else {
      if let absence = session.modules.absence(of: owner) { throw .notInService(owner, absence) }
      let known = session.modules.sorted.map(\.module.name.text)
      throw .noModule(owner.text, nearest: Spelling.nearest(to: owner.text, in: known))
    }
    guard !suspended.contains(owner) else { throw .suspended(owner) }
    let known = module.commands.map { $0.fullName(of: owner) }
    throw .unknown(name, nearest: Spelling.nearest(to: name.string, in: known))
  }

  /// Returns the commands of a name in the order in which they are asked: by priority, those of the
  /// module in the name first, then in the order of modules.
  private func commands(named name: String, of owner: ModuleName) -> [Bound<Command>] {
    var found: [Bound<Command>] = []
    for entry in session.modules.sorted {
      for command in entry.module.commands
      where command.fullName(of: entry.module.name) == name {
        found.append(Bound(command, of: entry.module))
      }
    }
    guard found.count > 1 else { return found }
    return found.enumerated().sorted { left, right in
      let (first, second) = (left.element, right.element)
      if first.part.priority != second.part.priority {
        return first.part.priority > second.part.priority
      }
      if (first.owner == owner) != (second.owner == owner) { return first.owner == owner }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// Returns whether a command takes a payload; one whose condition fails doesn't.
  private func takes(_ command: Bound<Command>, _ payload: Value) -> Bool {
    guard let condition = command.part.condition else { return true }
    do throws(Fault) {
      return try session.caller.call(command) { try condition(payload, $0) }
    } catch {
      session.caller.note(error)
      return false
    }
  }

  private func checkDepth(_ name: Text, _ caller: EffectTask?) throws(CommandError) {
    var chain = [name.string]
    var task = caller
    while let one = task {
      if one.effect.registration.kind == .command {
        let name = one.effect.registration.name
        chain.append(name.contains("/") ? name : "\(one.effect.owner)/\(name)")
      }
      task = one.origin.parent.flatMap { session.tasks[$0] }
    }
    guard chain.count <= Self.depthMax else {
      throw .tooDeep(chain: chain.prefix(Self.shownMax).reversed(), max: Self.depthMax)
    }
  }

  private static func result(
    of ending: EffectTask.Ending, _ name: Text, hasExpired: Bool
  ) -> Result<Value, CommandError> {
    switch ending {
    case .finished(let values): .success((values.first ?? nil) ?? .null)
    case .failed(let fault): .failure(fault.refusal.map { .refused($0) } ?? .failed(fault))
    case .cancelled: .failure(hasExpired ? .tookTooLong(name) : .cancelled(name))
    }
  }
}
