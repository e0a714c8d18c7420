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

  /// What goes on in place of an action; starts and stops are noted in the transaction.
  ///
  /// - Throws: ``DispatchError`` if a mapper fails, or if they make too many actions of one.
  func map(
    _ action: Action, _ transaction: inout Transaction
  ) throws(DispatchError) -> [Action] {
    guard !session.modules.listeners(to: action.type).moduleMappers.isEmpty else {
      return [action]
    }
    var count = 0
    return try map(action, [], &count, &transaction)
  }

  /// Asks all mappers but the one that made the action.
  private func map(
    _ action: Action, _ chain: [Link], _ count: inout Int, _ transaction: inout Transaction
  ) throws(DispatchError) -> [Action] {
    guard chain.count < Self.depthMax, count < Self.countMax else {
      throw .mappedTooOften(
        chain: chain.map(\.text) + [action.type.string],
        max: chain.count < Self.depthMax ? Self.countMax : Self.depthMax)
    }
    count += 1
    var passed: [Action] = []
    var isReplaced = false
    for mapper in session.modules.listeners(to: action.type).moduleMappers
    where mapper.order != chain.last?.mapper.order {
      let chain = chain + [Link(type: action.type, mapper: mapper)]
      for mapping in try mappings(mapper, action) {
        if case .replace(let other) = mapping {
          isReplaced = true
          passed += try map(other.inPlace(of: action), chain, &count, &transaction)
        } else if let made = try made(mapping, mapper, action) {
          let cause = Cause.module(mapper.owner.text, .moduleMapper)
          // Before what follows from it, which is noted meanwhile.
          let place = transaction.mapped.count
          let next = try map(made, chain, &count, &transaction)
          transaction.mapped.insert(contentsOf: next.map { ($0, cause) }, at: place)
        }
      }
    }
    if !isReplaced { passed.insert(action, at: 0) }
    return passed
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
