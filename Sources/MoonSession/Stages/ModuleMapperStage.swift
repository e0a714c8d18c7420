import MoonActions
import MoonModules
import MoonServiceKit
import MoonValues

/// Stage 2: module mappers start and stop modules, or replace an action.
struct ModuleMapperStage {
  /// The maximum length of a chain of mappers, in which each maps what the one before made.
  static let depthMax = 16
  /// The maximum number of actions that one mapper may lead to, directly or through others, from
  /// one action.
  static let countMax = 1_000

  let session: Session

  /// A mapper in a chain, and the type of action that it maps.
  private struct Link {
    let type: Text
    let mapper: Bound<ModuleMapper>

    var text: String { "\(type) (module mapper \(mapper.part.pattern) of \(mapper.owner))" }
  }

  /// The actions that a mapper made from one.
  private struct Part {
    /// The actions that replace it; nil if the mapper replaced nothing.
    var replacement: [Action]?
    /// The actions to be queued.
    var queued: [Transaction.Mapped] = []
  }

  /// Calls the mappers for an action; returns the actions that continue in its place.
  ///
  /// Starts and stops are added to the transaction.
  ///
  /// - Throws: ``DispatchError`` if a mapper of the action's own module fails or makes too many
  ///   actions. Failures of other mappers are noted, and their actions are discarded.
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

  /// Returns the actions that one mapper makes from an action, themselves mapped by the others.
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
        part.queued += next.actions.map {
          Transaction.Mapped(action: $0, origin: action.id, mapper: mapper)
        }
        part.queued += next.queued
      }
    }
    return part
  }

  /// Maps an action that a mapper made, by all mappers but that one.
  ///
  /// Returns the actions that continue in its place, and those to be queued with it.
  private func follow(
    _ action: Action, _ chain: [Link], _ count: inout Int
  ) throws(DispatchError) -> (actions: [Action], queued: [Transaction.Mapped]) {
    count += 1
    guard chain.count < Self.depthMax, count <= Self.countMax else {
      throw .tooManyMappings(
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
        // A circle has no single culprit, so it discards everything that its first mapper made.
        if case .tooManyMappings = error { throw error }
        try failed(error, mapper, action, listeners)
      }
    }
    return (replacements ?? [action], queued)
  }

  /// Notes the failure of a mapper that belongs to another module than the action.
  ///
  /// - Throws: The error if the mapper belongs to the action's module.
  private func failed(
    _ error: DispatchError, _ mapper: Bound<ModuleMapper>, _ action: Action, _ listeners: Listeners
  ) throws(DispatchError) {
    if listeners.belongsToOwner(mapper) { throw error }
    session.caller.note(session.caller.fault(error, mapper, action))
  }

  private func mappings(
    _ mapper: Bound<ModuleMapper>, _ action: Action
  ) throws(DispatchError) -> [ModuleMapping] {
    do throws(Fault) {
      return try session.caller.call(mapper, on: action) { try mapper.part.body(action, $0) }
    } catch {
      throw DispatchError(error)
    }
  }

  /// Returns the action that starts or stops a module; nil if it is the action being mapped.
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

/// The error of a mapper that names a missing module.
private struct UnknownModule: Error, CustomStringConvertible {
  let name: String
  let nearest: String?

  var description: String {
    "there is no module '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
  }
}
