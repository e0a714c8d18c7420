import MoonActions
package import MoonModules
import MoonServiceKit
import MoonValues

/// The comparison of a module with what a program expects of it.
package struct InterfaceCheck: Sendable {
  private struct Part: Sendable {
    let name: String
    let schema: PayloadSchema?
  }

  /// The interface.
  package let id: ObjectIdentifier
  /// The name of the module.
  package let module: String
  private let interface: String
  private let actions: [Part]
  private let commands: [Part]
  private let readState: @Sendable (Module) -> InterfaceProblem.Reason?

  /// Makes the comparison for an interface.
  package init<I: ModuleInterface>(_: I.Type) {
    id = ObjectIdentifier(I.self)
    module = I.module
    interface = String(reflecting: I.self)
    actions = I.actions.flatMap { type in
      ActionForm.of(type).actions.map { Part(name: $0.type.string, schema: $0.schema) }
    }
    commands = I.commands.map { Part(name: $0.name.string, schema: PayloadSchema(of: $0)) }
    readState = { $0.misfit(readAs: I.State.self) }
  }

  /// Returns the first thing about a module that doesn't fit; nil if all fits.
  package func problem(with module: Module) -> InterfaceProblem? {
    if let reason = readState(module) { return problem(reason, at: nil) }
    for action in actions {
      if let problem = problem(with: action, in: module) { return problem }
    }
    let names = module.commands.map { $0.fullName(of: module.name) }
    for expected in commands {
      guard let index = names.firstIndex(of: expected.name) else {
        return problem(
          .noCommand(expected.name, nearest: Spelling.nearest(to: expected.name, in: names)),
          at: nil)
      }
      let command = module.commands[index]
      if let reason = misfit(of: expected, command.schema) {
        return problem(reason, at: command.registration.place)
      }
    }
    return nil
  }

  /// Makes the problem that there is no such module.
  package func absence(_ absence: ModuleAbsence?, among names: [String]) -> InterfaceProblem {
    problem(
      absence.map { .notInService($0) }
        ?? .noModule(nearest: Spelling.nearest(to: module, in: names)), at: nil)
  }

  private func problem(
    _ reason: InterfaceProblem.Reason, at place: SourcePlace?
  ) -> InterfaceProblem {
    InterfaceProblem(interface, of: module, reason, at: place)
  }

  private func problem(with expected: Part, in module: Module) -> InterfaceProblem? {
    let declared = module.actions.first { "\(module.name)/\($0.name)" == expected.name }
    guard declared != nil || module.hears(Text(expected.name)) else {
      let names = module.actions.map { "\(module.name)/\($0.name)" }
      return problem(
        .noAction(expected.name, nearest: Spelling.nearest(to: expected.name, in: names)), at: nil)
    }
    guard let reason = misfit(of: expected, declared?.schema) else { return nil }
    return problem(reason, at: declared?.place)
  }

  private func misfit(of part: Part, _ schema: PayloadSchema?) -> InterfaceProblem.Reason? {
    guard let given = part.schema, let taken = schema else { return nil }
    return switch given.misfit(for: taken, isClosed: true) {
    case nil: nil
    case .lacking(let field)?: .ungiven(field: field, of: part.name)
    case .unknown(let field)?: .unknown(field: field, of: part.name)
    case .otherType(let field, let given, let taken)?:
      .otherType(field: field, of: part.name, module: taken, program: given)
    }
  }
}

extension Module {
  /// Whether a registration listens to a type of action.
  fileprivate func hears(_ type: Text) -> Bool { listeners.contains { $0.pattern.matches(type) } }

  /// Returns why the slice can't be read as a type; nil if it can, as far as it is known.
  fileprivate func misfit<State: Decodable>(
    readAs type: State.Type
  ) -> InterfaceProblem.Reason? {
    if type == NoState.self { return nil }
    if let shape, let expected = PayloadSchema(of: type) {
      switch shape.misfit(for: expected, isClosed: false) {
      case nil, .unknown: return nil
      case .lacking(let field)?:
        return .state(field: field.firstPart, reason: "\(field) may be missing")
      case .otherType(let field, let given, let taken)?:
        return .state(field: field.firstPart, reason: "\(field) is \(given), and must be \(taken)")
      }
    }
    do throws(ValueCodingError) {
      _ = try ValueDecoder().decode(type, from: state ?? .map(Map()))
      return nil
    } catch {
      return .state(field: error.path.description.firstPart, reason: error.description)
    }
  }
}

extension String {
  /// The name before the first dot or bracket.
  fileprivate var firstPart: String? {
    prefix { $0 != "." && $0 != "[" }.isEmpty ? nil : String(prefix { $0 != "." && $0 != "[" })
  }
}

extension ValueCodingError {
  /// The path of what doesn't fit; empty for the whole value.
  fileprivate var path: Path {
    switch self {
    case .missing(let path, _), .wrongType(let path, _, _), .outOfRange(let path, _, _),
      .notANumber(let path), .keysNotText(let path, _), .tooDeep(let path, _),
      .refused(let path, _):
      path
    case .tooManyParts, .noExample: Path()
    }
  }
}
