import MoonStore
import MoonValues

/// Module mappers and navigation mappers.
extension Session {
  /// How many mappers may follow from one another, by starting what others map again.
  static let mappingDepthMax = 16
  /// How many actions all of them may make of one.
  static let mappingCountMax = 1_000

  /// One mapper at work: what it maps, and which it is.
  private struct Step {
    let type: Text
    let mapper: Registry.BoundModuleMapper

    var text: String { "\(type) (module mapper \(mapper.mapper.pattern) of \(mapper.owner))" }
  }

  /// What goes on in place of an action; starts and stops are noted to be queued.
  func mapped(_ action: Action, _ work: inout Work) throws(DispatchError) -> [Action] {
    guard !modules.route(for: action.type).moduleMappers.isEmpty else { return [action] }
    var count = 0
    return try mapped(action, [], &count, &work)
  }

  /// Mapped by all mappers but the one that made it.
  private func mapped(
    _ action: Action, _ chain: [Step], _ count: inout Int, _ work: inout Work
  ) throws(DispatchError) -> [Action] {
    guard chain.count < Self.mappingDepthMax, count < Self.mappingCountMax else {
      throw .mappedTooOften(
        chain: chain.map(\.text) + [action.type.string],
        max: chain.count < Self.mappingDepthMax ? Self.mappingCountMax : Self.mappingDepthMax)
    }
    count += 1
    var going: [Action] = []
    var isReplaced = false
    for bound in modules.route(for: action.type).moduleMappers
    where bound.order != chain.last?.mapper.order {
      let chain = chain + [Step(type: action.type, mapper: bound)]
      for mapping in try mappings(bound, action) {
        switch mapping {
        case .replace(let other):
          isReplaced = true
          going += try mapped(other.inPlace(of: action), chain, &count, &work)
        case .start(let module, let payload), .stop(let module, let payload):
          let isStart = if case .start = mapping { true } else { false }
          guard modules[module] != nil else {
            throw .fault(unknownModule(module, bound, action))
          }
          let type = Text("\(module)/\(isStart ? "start" : "stop")")
          // What is on its way needs no other push.
          if type == action.type { continue }
          let cause = Cause.module(bound.owner.text, .moduleMapper)
          let made = Action(type, payload)
          // Before what follows from it, which is noted meanwhile.
          let place = work.mapped.count
          let next = try mapped(made, chain, &count, &work).map { (action: $0, cause: cause) }
          work.mapped.insert(contentsOf: next, at: place)
        }
      }
    }
    if !isReplaced { going.insert(action, at: 0) }
    return going
  }

  private func mappings(
    _ bound: Registry.BoundModuleMapper, _ action: Action
  ) throws(DispatchError) -> [ModuleMapping] {
    do throws(Fault) {
      return try call(bound.mapper.registration, of: bound.owner, on: action) {
        try bound.mapper.body(action, $0)
      }
    } catch {
      throw .fault(error)
    }
  }

  private func unknownModule(
    _ module: ModuleName, _ bound: Registry.BoundModuleMapper, _ action: Action
  ) -> Fault {
    let names = modules.sorted.map(\.module.name.text)
    let nearest = Spelling.nearest(to: module.text, in: names)
    return fault(
      UnknownModule(name: module.text, nearest: nearest), bound.owner, bound.mapper.registration,
      action)
  }

  /// Queues what navigation mappers make of an action that was reduced.
  func mapNavigation(_ action: Action) {
    for bound in modules.route(for: action.type).navigationMappers {
      let actions = attempt(bound.mapper.registration, of: bound.owner, on: action) {
        let actions = try bound.mapper.body(action, $0)
        try WrongNavigation.check(actions, of: "a navigation mapper", mayRoute: true)
        return actions
      }
      for made in actions ?? [] {
        let cause = Cause.module(bound.owner.text, .navigationMapper)
        do throws(DispatchError) {
          try enqueue(made, cause: cause)
        } catch {
          fail(stamped(made, cause: cause), error)
        }
      }
    }
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
