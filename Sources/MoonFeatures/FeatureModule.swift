import MoonActions
public import MoonModules
import MoonRouting
import MoonServiceKit
import MoonValues

extension Feature {
  /// Makes the module that the feature is.
  ///
  /// - Throws: ``FeatureError``.
  package func module() throws(FeatureError) -> sending Module {
    guard let moduleName = ModuleName(name) else { throw .invalidName(name) }
    var module = Module(name: moduleName, description: description, version: version)
    module.needs = needs
    if State.self != NoState.self {
      do throws(ValueCodingError) {
        module.state = try ValueEncoder().encode(State())
      } catch {
        throw .state(of: name, reason: error.description)
      }
      module.shape = PayloadSchema(of: State.self)
    }
    var parts = BodyParts(of: name, in: Self.self)
    try parts.add(body)
    try module.register(parts)
    try module.joinStates(as: State.self)
    return module
  }
}

extension Module {
  /// Adds registrations to the module, as the body of a feature does.
  ///
  /// - Throws: ``FeatureError``. Nothing has been added then.
  public mutating func register(
    @RegistrationsBuilder _ parts: () -> RegistrationGroup
  ) throws(FeatureError) {
    var (module, added) = (self, BodyParts(of: name.text, in: nil))
    try added.add(parts())
    try module.register(added)
    self = module
  }

  fileprivate mutating func register(_ parts: BodyParts) throws(FeatureError) {
    let check = FeatureCheck(name: name.text)
    try check.check(parts.registrations)
    for registration in parts.registrations { registration.add(to: &self) }
    try check.check(self)
    try declareActions(of: parts.types)
    let derivations = parts.registrations.compactMap { $0 as? Derivation }
    if derivations.isEmpty { return }
    do throws(DerivationError) {
      try derive(derivations)
    } catch {
      throw .derivation(of: name.text, reason: error.description)
    }
  }
}

/// What is in a body, also in the parts of it.
private struct BodyParts {
  /// How many parts may be in one another.
  private static let depthMax = 32

  private(set) var registrations: [any ModulePart] = []
  /// The full names of the feature's type, if there is one, and of those of its parts.
  private(set) var types: [String]
  private let feature: String

  init(of feature: String, in type: Any.Type?) {
    self.feature = feature
    types = type.map { [String(reflecting: $0)] } ?? []
  }

  /// - Throws: ``FeatureError``.
  mutating func add(_ part: any Registrations, depth: Int = 0) throws(FeatureError) {
    switch part {
    case let group as RegistrationGroup:
      for part in group.parts { try add(part, depth: depth) }
    case let registration as any ModulePart: registrations.append(registration)
    case let part as any FeaturePart:
      guard depth < Self.depthMax else { throw .tooDeep("\(type(of: part))", in: feature) }
      types.append(String(reflecting: type(of: part)))
      try add(part.body, depth: depth + 1)
    default: throw .noPart("\(type(of: part))", in: feature)
    }
  }
}

/// The checks of a feature's registrations before they become those of a module.
private struct FeatureCheck {
  let name: String

  /// - Throws: ``FeatureError``.
  func check(_ parts: [any ModulePart]) throws(FeatureError) {
    var sole: Set<String> = []
    for part in parts {
      if let missing = part as? MissingPart { throw .nothing(missing.type, of: name) }
      if let kind = Self.soleKind(of: part), !sole.insert(kind.rawValue).inserted {
        throw .twice(kind.rawValue, of: name)
      }
    }
  }

  /// Checks that no registration hides another of its name.
  ///
  /// - Throws: ``FeatureError/twice(_:of:)``.
  func check(_ module: Module) throws(FeatureError) {
    let named = module.commands.map(\.registration) + module.views.map(\.registration)
    var seen: Set<String> = []
    for registration in named where !seen.insert("\(registration)").inserted {
      throw .twice("\(registration)", of: name)
    }
  }

  /// Returns the kind of a registration that a module has once.
  private static func soleKind(of part: any Registrations) -> RegistrationKind? {
    switch part {
    case is OnStart: .onStart
    case is OnRestore: .onRestore
    case is OnStop: .onStop
    case is BackHook: .onBack
    case is SettingsHook: .onSettings
    case is UnmatchedHandler: .unmatched
    case is Migration: .migrate
    default: nil
    }
  }
}

extension Module {
  /// The registrations that were made of types, with what is known of them.
  private var typedParts: [(registration: Registration, typed: TypedParts)] {
    var all: [(Registration, TypedParts?)] = []
    all += reducers.map { ($0.registration, $0.typed) }
    all += middleware.map { ($0.registration, $0.typed) }
    all += afterReduce.map { ($0.registration, $0.typed) }
    all += observers.map { ($0.registration, $0.typed) }
    all += routes.map { ($0.registration, $0.typed) }
    all += presenters.map { ($0.registration, $0.typed) }
    all += views.map { ($0.registration, $0.typed) }
    all += moduleMappers.map { ($0.registration, $0.typed) }
    all += navigationMappers.map { ($0.registration, $0.typed) }
    all += effects.map { ($0.registration, $0.typed) }
    all += commands.map { ($0.registration, $0.typed) }
    return all.compactMap { part, typed in typed.map { (part, $0) } }
  }

  /// Declares the module's own actions that registrations take as types.
  ///
  /// Those in the types of its feature must be its own.
  ///
  /// - Throws: ``FeatureError``.
  fileprivate mutating func declareActions(of types: [String]) throws(FeatureError) {
    let prefix = "\(name)/"
    var schemas: [String: PayloadSchema?] = [:]
    for (_, typed) in typedParts {
      switch typed.problem {
      case nil: break
      case let problem as TypedProblem: throw problem.error(of: name.text)
      case let problem?: throw .nothing("\(problem)", of: name.text)
      }
      for action in typed.actions {
        guard action.type.string.hasPrefix(prefix) else {
          // An action of the feature's own, which would have no module.
          if types.contains(where: { action.origin.hasPrefix("\($0).") }) {
            throw .otherName(action.type.string, of: name.text)
          }
          continue
        }
        let own = String(action.type.string.dropFirst(prefix.count))
        if let known = schemas[own] {
          guard known == action.schema else {
            throw .twoPayloads(type: action.type.string, of: name.text)
          }
        } else if !actions.contains(where: { $0.name == own }) {
          schemas[own] = .some(action.schema)
          actions.append(ActionDeclaration(own, schema: action.schema))
        }
      }
    }
  }

  /// Lets all registrations share the states that they decode.
  ///
  /// - Throws: ``FeatureError/otherState(_:of:found:)``.
  fileprivate func joinStates(as type: Any.Type) throws(FeatureError) {
    var first: (any StateLink)?
    for (registration, typed) in typedParts {
      guard let link = typed.state as? any StateLink else { continue }
      guard link.stateType == type else {
        throw .otherState(
          "\(registration)", of: name.text,
          found: TypeName.parts(of: link.stateType).joined(separator: "."))
      }
      if let first { link.share(with: first) } else { first = link }
    }
  }
}

extension TypedProblem {
  fileprivate func error(of feature: String) -> FeatureError {
    switch self {
    case .invalidType(let type): .invalidType(type, in: feature)
    case .invalidPattern(let pattern, let reason):
      .invalidPattern(pattern, of: feature, reason: reason)
    }
  }
}
