import MoonStore
import MoonValues

/// Stage 2: module mappers start and stop modules, or put other actions in an action's place.
struct ModuleMapperStage {
  /// How many mappers may follow from one another, by starting what others map again.
  static let depthMax = 16
  /// How many actions all of them may make of one.
  static let countMax = 1_000

  let session: Session

  /// One mapper at work: what it maps, and which it is.
  private struct Link {
    let type: Text
    let mapper: Bound<ModuleMapper>

    var text: String { "\(type) (module mapper \(mapper.part.pattern) of \(mapper.owner))" }
  }

  /// What a mapper makes of an action.
  private struct Part {
    /// What goes on in the action's place; nil if nothing does.
    var replacement: [Action]?
    /// What is to be queued.
    var queued: [Transaction.Mapped] = []
  }

  /// What goes on in place of an action; starts and stops are noted in the transaction.
  ///
  /// - Throws: ``DispatchError`` if a mapper of the action's own module fails, or its mappers make
  ///   too many actions. Failures of others are noted, and what they made is void.
  func map(
    _ action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) -> [Action] {
    let listeners = session.modules.listeners(to: action.type)
    guard !listeners.moduleMappers.isEmpty else { return [action] }
    var replacements: [Action]?
    for mapper in listeners.moduleMappers {
      var count = 0
      do throws(DispatchError) {
        let part = try part(of: mapper, action, [], &count)
        transaction.mapped += part.queued
        if let made = part.replacement { replacements = (replacements ?? []) + made }
      } catch {
        try failed(error, mapper, action, listeners)
      }
    }
    return replacements ?? [action]
  }

  /// What one mapper makes of an action, and others of that.
  private func part(
    of mapper: Bound<ModuleMapper>, _ action: Action, _ chain: [Link], _ count: inout Int
  ) throws(DispatchError) -> Part {
    let chain = chain + [Link(type: action.type, mapper: mapper)]
    var part = Part()
    for mapping in try mappings(mapper, action) {
      if case .replace(let other) = mapping {
        let next = try follow(other.inPlace(of: action), chain, &count)
        part.replacement = (part.replacement ?? []) + next.actions
        part.queued += next.queued
      } else if let made = try made(mapping, mapper, action) {
        let next = try follow(made, chain, &count)
        part.queued += next.actions.map { Transaction.Mapped(action: $0, mapper: mapper) }
        part.queued += next.queued
      }
    }
    return part
  }

  /// What goes on in place of an action that a mapper has made, and is queued with it: all mappers
  /// are asked but that one.
  private func follow(
    _ action: Action, _ chain: [Link], _ count: inout Int
  ) throws(DispatchError) -> (actions: [Action], queued: [Transaction.Mapped]) {
    count += 1
    guard chain.count < Self.depthMax, count <= Self.countMax else {
      throw .mappedTooOften(
        chain: chain.map(\.text) + [action.type.string],
        max: chain.count < Self.depthMax ? Self.countMax : Self.depthMax)
    }
    var replacements: [Action]?
    var queued: [Transaction.Mapped] = []
    let listeners = session.modules.listeners(to: action.type)
    for mapper in listeners.moduleMappers where mapper.order != chain.last?.mapper.order {
      do throws(DispatchError) {
        let part = try part(of: mapper, action, chain, &count)
        queued += part.queued
        if let made = part.replacement { replacements = (replacements ?? []) + made }
      } catch {
        // A circle is no single mapper's: it costs all that the first one of it has made.
        if case .mappedTooOften = error { throw error }
        try failed(error, mapper, action, listeners)
      }
    }
    return (replacements ?? [action], queued)
  }

  /// Notes what a mapper of another module than the action's has failed with.
  ///
  /// - Throws: the error if the mapper is the action's own.
  private func failed(
    _ error: DispatchError, _ mapper: Bound<ModuleMapper>, _ action: Action, _ listeners: Listeners
  ) throws(DispatchError) {
    if listeners.isOwners(mapper) { throw error }
    session.caller.note(session.caller.fault(error, mapper, action))
  }

  private func mappings(
    _ mapper: Bound<ModuleMapper>, _ action: Action
  ) throws(DispatchError) -> [ModuleMapping] {
    do throws(Fault) {
      return try session.caller.call(mapper, on: action) { try mapper.part.body(action, $0) }
    } catch {
      throw .fault(error)
    }
  }

  /// The action that starts or stops a module; nil if that is the one that is mapped.
  private func made(
    _ mapping: ModuleMapping, _ mapper: Bound<ModuleMapper>, _ action: Action
  ) throws(DispatchError) -> Action? {
    let made: (module: ModuleName, word: String, payload: Value)
    switch mapping {
    case .start(let module, let payload): made = (module, "start", payload)
    case .stop(let module, let payload): made = (module, "stop", payload)
    case .replace: return nil
    }
    guard session.modules[made.module] != nil else {
      let names = session.modules.sorted.map(\.module.name.text)
      let error = UnknownModule(
        name: made.module.text, nearest: Spelling.nearest(to: made.module.text, in: names))
      throw .fault(session.caller.fault(error, mapper, action))
    }
    let type = Text("\(made.module)/\(made.word)")
    return type == action.type ? nil : Action(type, made.payload)
  }
}

/// A mapper names a module that isn't there.
private struct UnknownModule: Error, CustomStringConvertible {
  let name: String
  let nearest: String?

  var description: String {
    "there is no module '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}
