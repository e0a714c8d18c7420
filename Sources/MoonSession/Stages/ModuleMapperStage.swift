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

  /// What a mapper does with an action.
  private enum Answer {
    /// Dispatches another after it.
    case other(Action)
    /// Puts another in its place.
    case replacement(Action)
    /// Starts or stops what the action itself starts or stops.
    case itself
  }

  /// Calls the mappers for an action; returns the actions that continue in its place.
  ///
  /// The others are added to the transaction, to be queued. What a mapper answers is carried out in
  /// its order, so a replacement that follows a start or a stop is queued behind it.
  ///
  /// - Throws: ``DispatchError`` if a mapper of the action's own module fails or makes too many
  ///   actions. Failures of other mappers are noted, and their actions are discarded.
  func map(
    _ action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) -> [Action] {
    let listeners = session.modules.listeners(to: action.type)
    guard !listeners.moduleMappers.isEmpty else { return [action] }
    let taken = MappedAction(taken: action)
    var replacements: [Action]?
    for mapper in listeners.moduleMappers {
      var count = 0
      do throws(DispatchError) {
        let (made, isReplaced) = try actions(of: mapper, from: taken, [], &count)
        let queued = queued(of: made)
        if !queued.isEmpty { transaction.mapped += queued }
        guard isReplaced else { continue }
        let rest = made.filter { one in one.isInPlace && !queued.contains { $0 === one } }
        replacements = (replacements ?? []) + rest.map(\.action)
      } catch {
        try failed(error, mapper, action, listeners)
      }
    }
    return replacements ?? [action]
  }

  /// Returns the actions that are queued: all but the replacements at the beginning.
  private func queued(of made: [MappedAction]) -> [MappedAction] {
    let rest = made.drop(while: \.isInPlace)
    guard rest.contains(where: \.isInPlace), !session.current.calls.queuesReplacement() else {
      return Array(rest)
    }
    return rest.filter { !$0.isInPlace }
  }

  /// Returns the actions that one mapper makes from another, themselves mapped by the others, and
  /// whether any of them takes its place.
  private func actions(
    of mapper: Bound<ModuleMapper>, from mapped: MappedAction, _ chain: [Link],
    _ count: inout Int
  ) throws(DispatchError) -> (made: [MappedAction], isReplaced: Bool) {
    let action = mapped.action
    let chain = chain + [Link(type: action.type, mapper: mapper)]
    var made: [MappedAction] = []
    var isReplaced = false
    for mapping in try mappings(mapper, action) {
      switch try answer(mapping, mapper, action) {
      case .other(let other):
        made += try follow(MappedAction(other, of: mapped, by: mapper), chain, &count)
      case .replacement(let other):
        isReplaced = true
        made += try follow(MappedAction(other, inPlaceOf: mapped, by: mapper), chain, &count)
      case .itself:
        // It continues anyway; it waits for its place only behind others.
        guard !made.isEmpty else { continue }
        isReplaced = true
        made.append(MappedAction(action, inPlaceOf: mapped, by: mapper))
      }
    }
    return (made, isReplaced)
  }

  /// Maps an action that a mapper made, by all mappers but that one; returns the resulting actions,
  /// in order.
  private func follow(
    _ mapped: MappedAction, _ chain: [Link], _ count: inout Int
  ) throws(DispatchError) -> [MappedAction] {
    let action = mapped.action
    count += 1
    guard chain.count < Self.depthMax, count <= Self.countMax else {
      throw .tooManyMappings(
        chain: chain.map(\.text) + [action.type.string],
        max: chain.count < Self.depthMax ? Self.countMax : Self.depthMax)
    }
    var all: [MappedAction] = []
    var isReplaced = false
    let listeners = session.modules.listeners(to: action.type)
    for mapper in listeners.moduleMappers where mapper.order != chain.last?.mapper.order {
      do throws(DispatchError) {
        let answer = try actions(of: mapper, from: mapped, chain, &count)
        all += answer.made
        if answer.isReplaced { isReplaced = true }
      } catch {
        // A circle has no single culprit, so it discards everything that its first mapper made.
        if case .tooManyMappings = error { throw error }
        try failed(error, mapper, action, listeners)
      }
    }
    return isReplaced ? all : [mapped] + all
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

  /// Returns what a mapper's answer does with the action.
  private func answer(
    _ mapping: ModuleMapping, _ mapper: Bound<ModuleMapper>, _ action: Action
  ) throws(DispatchError) -> Answer {
    let made: (module: ModuleName, word: String, payload: Value)
    switch mapping {
    case .start(let module, let payload): made = (module, "start", payload)
    case .stop(let module, let payload): made = (module, "stop", payload)
    case .replace(let other):
      do throws(DispatchError) {
        try session.modules.checkControl(of: other, by: mapper.owner)
      } catch {
        throw .fault(session.caller.fault(error, mapper, action))
      }
      session.current.noteHand(of: mapper.owner)
      return .replacement(
        GivenScreens.owned(
          other, by: mapper.owner, in: session, receiving: GivenScreens.screens(of: action)))
    }
    guard session.modules[made.module] != nil else {
      let (name, names) = (made.module.text, session.modules.sorted.map(\.module.name.text))
      let hint = Spelling.nearest(to: name, in: names).map { "; did you mean '\($0)'?" } ?? ""
      let error = CodeFailure(.raised("there is no module '\(name)'" + hint))
      throw .fault(session.caller.fault(error, mapper, action))
    }
    let other = Action(Text("\(made.module)/\(made.word)"), made.payload)
    guard other.type == action.type else { return .other(other) }
    if made.payload == .null || made.payload == action.payload { return .itself }
    session.current.noteHand(of: mapper.owner)
    return .replacement(other)
  }
}
