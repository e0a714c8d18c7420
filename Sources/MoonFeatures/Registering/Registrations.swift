public import MoonActions
public import MoonModules
import MoonValues

/// What a feature registers: a reducer, an effect, a route, or several of them.
public protocol Registrations: SendableMetatype {
  /// Adds the registrations to a module.
  func register(in module: inout Module)
}

/// Puts the registrations of a feature's body together.
@resultBuilder public enum RegistrationsBuilder {
  /// Takes one registration.
  public static func buildExpression(_ part: some Registrations) -> RegistrationGroup {
    RegistrationGroup([part])
  }

  /// Takes a registration that may be nil, which is a problem of the feature.
  public static func buildExpression<R: Registrations>(_ part: R?) -> RegistrationGroup {
    RegistrationGroup([part ?? MissingPart(type: "\(R.self)") as any Registrations])
  }

  /// Puts registrations together.
  public static func buildBlock(_ parts: RegistrationGroup...) -> RegistrationGroup {
    RegistrationGroup(parts.flatMap(\.parts))
  }

  /// Takes the registrations of an `if` without `else`.
  public static func buildOptional(_ part: RegistrationGroup?) -> RegistrationGroup {
    part ?? RegistrationGroup([])
  }

  /// Takes the registrations of an `if`.
  public static func buildEither(first part: RegistrationGroup) -> RegistrationGroup { part }

  /// Takes the registrations of an `else`.
  public static func buildEither(second part: RegistrationGroup) -> RegistrationGroup { part }

  /// Takes the registrations of a loop.
  public static func buildArray(_ parts: [RegistrationGroup]) -> RegistrationGroup {
    RegistrationGroup(parts.flatMap(\.parts))
  }
}

/// Several registrations.
public struct RegistrationGroup: Registrations {
  let parts: [any Registrations]

  init(_ parts: [any Registrations]) { self.parts = parts }

  /// Adds the registrations to a module, in order.
  public func register(in module: inout Module) {
    for part in parts { part.register(in: &module) }
  }
}

/// A registration that couldn't be made.
struct MissingPart: Registrations {
  let type: String

  // The feature reports it.
  func register(in module: inout Module) {}
}

/// A function that runs when the module starts in a new session.
public struct OnStart: Registrations {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  /// Sets the hook of a module.
  public func register(in module: inout Module) { module.hooks.onStart = hook }
}

/// A function that runs instead of ``OnStart`` in a session that continues an earlier run.
public struct OnRestore: Registrations {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  /// Sets the hook of a module.
  public func register(in module: inout Module) { module.hooks.onRestore = hook }
}

/// A function that runs before the module leaves a session.
public struct OnStop: Registrations {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  /// Sets the hook of a module.
  public func register(in module: inout Module) { module.hooks.onStop = hook }
}

/// A reducer of the whole state, which runs after all slices are reduced.
public struct WholeStateReducer: Registrations {
  let reducer: Reducer

  /// Makes the reducer.
  public init(_ pattern: ActionPattern, _ body: @escaping Reducer.Body) {
    reducer = Reducer(pattern, body)
  }

  /// Adds the reducer to a module.
  public func register(in module: inout Module) { module.wholeStateReducers.append(reducer) }
}
