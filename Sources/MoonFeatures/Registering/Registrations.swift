public import MoonActions
public import MoonModules
import MoonValues

/// What can stand in the body of a feature: a reducer, an effect, a route, or a ``FeaturePart``.
///
/// No other type of a program conforms to it.
public protocol Registrations: SendableMetatype {}

/// Registrations that several features share: a type with a body of its own.
///
/// ```swift
/// /// Lets an action bring back the first state.
/// struct Reset<State: FeatureState, Trigger: TypedAction>: FeaturePart {
///   var body: some Registrations {
///     Reducer { (state: inout State, _: Trigger) in state = State() }
///   }
/// }
/// ```
///
/// In the body of a feature, `Reset<State, Clear>()` registers what stands in the body of the part.
/// So the part's reducers and views take the state of that feature, and the feature declares the
/// actions. A part may have other parts in its body, to a depth of 32.
public protocol FeaturePart: Registrations {
  /// The type of ``body``, which Swift finds out.
  associatedtype Body: Registrations

  /// What the part registers in a feature.
  @RegistrationsBuilder var body: Body { get }
}

/// Puts the registrations of a feature's body together.
@resultBuilder public enum RegistrationsBuilder {
  /// Takes a registration or a part; one that is nil is a problem of the feature.
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
}

/// A registration that couldn't be made.
struct MissingPart: ModulePart {
  let type: String

  // The feature reports it.
  func add(to module: inout Module) {}
}

/// A function that runs when the module starts in a new session.
public struct OnStart: Registrations, ModulePart {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  func add(to module: inout Module) { module.hooks.onStart = hook }
}

/// A function that runs instead of ``OnStart`` in a session that continues an earlier run.
public struct OnRestore: Registrations, ModulePart {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  func add(to module: inout Module) { module.hooks.onRestore = hook }
}

/// A function that runs before the module leaves a session.
public struct OnStop: Registrations, ModulePart {
  let hook: Hook

  /// Makes the hook.
  public init(_ body: @escaping Hook.Body) { hook = Hook(body) }

  func add(to module: inout Module) { module.hooks.onStop = hook }
}

/// A reducer of the whole state, which runs after all slices are reduced.
public struct WholeStateReducer: Registrations, ModulePart {
  let reducer: Reducer

  /// Makes the reducer.
  public init(_ pattern: ActionPattern, _ body: @escaping Reducer.Body) {
    reducer = Reducer(pattern, body)
  }

  func add(to module: inout Module) { module.wholeStateReducers.append(reducer) }
}
