public import MoonFeatures
import MoonModules
import MoonServiceKit
import MoonSession
public import MoonValues

/// The reason that a part of a session's state can't be read.
public enum StateError: Error, Sendable, Equatable {
  /// The session is closed.
  case closed
  /// No feature of the host has a state of this type.
  case noFeature(String)
  /// The text isn't a path.
  case malformedPath(String, PathError)
  /// The part isn't there, or isn't what it is read as.
  case mismatch(ValueCodingError)
}

extension StateError: CustomStringConvertible {
  /// One sentence without a full stop.
  public var description: String {
    switch self {
    case .closed: "the session is closed: open another one"
    case .noFeature(let type):
      "no feature in service has the state \(type): add it to the host first"
    case .malformedPath(let text, let error): "'\(text)' is no path: \(error)"
    case .mismatch(let error): "\(error)"
    }
  }
}

/// Reading and following the state.
extension HostSession {
  /// The whole state.
  ///
  /// - Throws: ``StateError/closed``.
  public var state: Value {
    get async throws(StateError) {
      guard let state = await host.state(of: id) else { throw .closed }
      return state
    }
  }

  /// Returns the state of a feature.
  ///
  /// - Throws: ``StateError``.
  public func state<State: FeatureState>(_ type: State.Type) async throws(StateError) -> State {
    let path = try await path(of: type)
    return try await value(at: path, as: type)
  }

  /// Returns the part of the state at a path, such as `counter.count`, as a type.
  ///
  /// - Throws: ``StateError``.
  public func value<T: Decodable & Sendable>(
    at text: String, as type: T.Type = T.self
  ) async throws(StateError) -> T {
    let path: Path
    do throws(PathError) {
      path = try Path(parsing: text)
    } catch {
      throw .malformedPath(text, error)
    }
    return try await value(at: path, as: type)
  }

  /// Returns the part of the state at a path as a type.
  ///
  /// - Throws: ``StateError``.
  func value<T: Decodable & Sendable>(
    at path: Path, as type: T.Type
  ) async throws(StateError) -> T {
    try Self.decode(type, try await state.value(at: path), at: path)
  }

  /// Returns a part of a feature's state now, and then whenever it has changed.
  ///
  /// The sequence ends with the session. A reader that is slow misses the values in between, unless
  /// `buffering` says otherwise. What doesn't decode, since another module has changed it, is left
  /// out.
  ///
  /// - Throws: ``StateError``.
  public func values<State: FeatureState, Part: Sendable & Equatable>(
    _ part: any KeyPath<State, Part> & Sendable, buffering: StateBuffering = .latest
  ) async throws(StateError) -> some AsyncSequence<Part, Never> & Sendable {
    try await values(part, at: try await path(of: State.self), buffering)
  }

  /// Returns a part of what is at a path, as ``values(_:buffering:)`` does.
  ///
  /// - Throws: ``StateError``.
  func values<State: Decodable & Sendable, Part: Sendable & Equatable>(
    _ part: any KeyPath<State, Part> & Sendable, at path: Path, _ buffering: StateBuffering
  ) async throws(StateError) -> some AsyncSequence<Part, Never> & Sendable {
    guard await host.state(of: id) != nil else { throw .closed }
    let parts = await host.states(of: id, buffering: buffering) { state -> Part? in
      let state = try? Self.decode(State.self, state.value(at: path), at: path)
      return state.map { $0[keyPath: part] }
    }
    return parts.compactMap(\.self)
  }

  /// Returns the value at a path of the state now, and then whenever it has changed; nil where
  /// there is none.
  ///
  /// The sequence ends with the session.
  ///
  /// - Throws: ``StateError``.
  public func values(
    at text: String, buffering: StateBuffering = .latest
  ) async throws(StateError) -> AsyncStream<Value?> {
    let path: Path
    do throws(PathError) {
      path = try Path(parsing: text)
    } catch {
      throw .malformedPath(text, error)
    }
    guard await host.state(of: id) != nil else { throw .closed }
    return await host.states(of: id, buffering: buffering) { $0.value(at: path) }
  }

  /// The events of the session from now on, such as faults of its modules; they end with it.
  ///
  /// A reader that falls more than 1,000 events behind misses the oldest.
  public var events: AsyncStream<HostEvent> {
    get async { await host.perform { [id] in $0.sessions.events(of: id) } }
  }

  private func path<State: FeatureState>(
    of type: State.Type
  ) async throws(StateError) -> Path {
    guard let name = await host.perform({ $0.modules.features.module(with: type) }) else {
      throw .noFeature(String(reflecting: type))
    }
    return Path([.key(Text(name.text))])
  }

  private static func decode<T: Decodable>(
    _ type: T.Type, _ value: Value?, at path: Path
  ) throws(StateError) -> T {
    do throws(ValueCodingError) {
      return try ValueDecoder().decode(type, from: value, at: path)
    } catch {
      throw .mismatch(error)
    }
  }
}
