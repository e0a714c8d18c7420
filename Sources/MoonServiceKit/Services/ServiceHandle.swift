import Synchronization

/// A declaration of what a function can open: an object with methods, such as a connection.
///
/// In Lua it is a value whose methods are called with a colon: `socket:send("hello")`. Every handle
/// also has `close`. If there is a method `next`, `for … in` calls it until it returns nothing.
///
/// ```swift
/// let socket = ServiceHandle<Socket>(
///   "socket", "A connection.",
///   methods: [
///     .asynchronous("send", "Sends a message.", .bytes("message")) { call, socket, message in
///       try await socket.send(message)
///       return .nothing
///     }
///   ],
///   closing: { socket in await socket.close() })
/// ```
public struct ServiceHandle<Resource: Sendable>: Sendable {
  /// The name, summary and methods.
  package let kind: HandleKind
  private let close: @Sendable (Resource) async -> Void

  /// Declares a kind of handle.
  ///
  /// `closing` is called once: when the script closes the handle, or when the task that opened it
  /// ends.
  public init(
    _ name: String, _ summary: String, methods: [ServiceMethod<Resource>],
    closing: @escaping @Sendable (Resource) async -> Void
  ) {
    kind = HandleKind(
      name: name, summary: summary,
      methods: methods.map(\.function).sorted { $0.name < $1.name })
    close = closing
  }

  func open(_ resource: Resource, with used: UsedScopes? = nil) -> OpenHandle {
    OpenHandle(kind, resource, with: used) { [close] in await close(resource) }
  }
}

/// The name, summary and methods of a kind of handle.
package struct HandleKind: Sendable {
  /// The name, such as `socket`.
  package let name: String
  /// One sentence.
  package let summary: String
  /// The methods besides `close`, sorted by name.
  package let methods: [ServiceFunction]
}

/// A method of a handle.
public struct ServiceMethod<Resource: Sendable>: Sendable {
  let function: ServiceFunction

  /// Declares a method that returns at once, on the host's thread.
  public static func immediate<each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String = "",
    body: @escaping @Sendable (ServiceCall, Resource, repeat each P) throws -> ServiceResult
  ) -> Self {
    let readers = ServiceFunction.readers(of: repeat each parameters)
    return Self(
      function: ServiceFunction(
        name, summary, .immediate, ServiceFunction.facts(repeat each parameters),
        returns: returns,
        .now { call, arguments in
          var reading = ArgumentReading(readers, arguments)
          return try body(call, try arguments.resource(), repeat try reading.next((each P).self))
        }))
  }

  /// Declares a method that takes time, which the task waits for.
  public static func asynchronous<each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String = "",
    body: @escaping @Sendable (ServiceCall, Resource, repeat each P) async throws -> ServiceResult
  ) -> Self {
    let readers = ServiceFunction.readers(of: repeat each parameters)
    return Self(
      function: ServiceFunction(
        name, summary, .asynchronous, ServiceFunction.facts(repeat each parameters),
        returns: returns,
        .later { arguments in
          var reading = ArgumentReading(readers, arguments)
          let values = (repeat try reading.next((each P).self))
          // Comes last, so that tests can have the arguments checked without a resource.
          let resource: Resource = try arguments.resource()
          return { call in .result(try await body(call, resource, repeat each values)) }
        }))
  }
}

extension ServiceArguments {
  fileprivate func resource<Resource>() throws(ArgumentProblem) -> Resource {
    guard let resource = handle?.resource as? Resource else { throw .closed }
    return resource
  }
}

/// A handle that a task has opened.
///
/// It is closed when the last reference to it goes, if not before.
package final class OpenHandle: Sendable {
  package let kind: HandleKind
  let resource: any Sendable
  /// The scopes that it needs; nil if it was opened without any.
  package let used: UsedScopes?
  private let closing: @Sendable () async -> Void
  private let isClosed = Atomic(false)

  init(
    _ kind: HandleKind, _ resource: any Sendable, with used: UsedScopes? = nil,
    closing: @escaping @Sendable () async -> Void
  ) {
    self.kind = kind
    self.used = used
    self.resource = resource
    self.closing = closing
    used?.note(self)
  }

  deinit { close() }

  /// Whether the resource wasn't released.
  var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

  /// Releases the resource, outside the host; does nothing the second time.
  package func close() {
    guard !isClosed.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _Concurrency.Task { [closing] in await closing() }
  }
}
