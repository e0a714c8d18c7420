public import MoonFeatures
public import MoonModules
import MoonServiceKit
import MoonSession
import MoonValues

/// A module in a session, as the program that has its interface sees it.
///
/// Its actions are dispatched and its commands called like others of the session.
public struct TypedModule<Interface: ModuleInterface>: Sendable {
  /// The session.
  public let session: HostSession

  private var path: Path { Path([.key(Text(Interface.module))]) }

  /// The slice, as the program reads it.
  ///
  /// - Throws: ``StateError``, with ``StateError/mismatch(_:)`` if the module has left or has made
  ///   something else of its slice.
  public var state: Interface.State {
    get async throws(StateError) { try await session.value(at: path, as: Interface.State.self) }
  }

  /// Returns a part of the slice now, and then whenever it has changed; see
  /// ``HostSession/values(_:buffering:)``.
  ///
  /// - Throws: ``StateError``.
  public func values<Part: Sendable & Equatable>(
    _ part: any KeyPath<Interface.State, Part> & Sendable, buffering: StateBuffering = .latest
  ) async throws(StateError) -> some AsyncSequence<Part, Never> & Sendable {
    try await session.values(part, at: path, buffering)
  }
}

extension HostSession {
  /// Returns a module by its interface, to which the host holds it from now on.
  ///
  /// - Throws: ``InterfaceProblem`` if there is no such module, or if it isn't what the interface
  ///   says.
  public func module<I: ModuleInterface>(
    _ interface: I.Type
  ) async throws(InterfaceProblem) -> TypedModule<I> {
    let check = InterfaceCheck(interface)
    try await host.perform { host throws(InterfaceProblem) in try host.modules.hold(to: check) }
    return TypedModule(session: self)
  }

  /// Calls a command, and returns its answer.
  ///
  /// - Throws: ``CommandError``, and ``ValueCodingError`` if the payload or the answer has another
  ///   shape.
  @discardableResult
  public func call<C: TypedCommand>(
    _ command: C, within time: Duration? = nil
  ) async throws -> C.Answer {
    try await call(C.name, command, within: time, as: C.Answer.self)
  }
}
