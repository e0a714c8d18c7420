/// A function of a service, or a method of a handle: its parameters, its kind and its Swift code.
///
/// Each kind has a static function that declares it: ``pure(_:_:_:returns:body:)``,
/// ``immediate(_:_:_:returns:body:)``, ``asynchronous(_:_:_:returns:body:)``,
/// ``stream(_:_:_:of:body:)`` and ``opening(_:_:_:_:body:)``. The types of the parameters are those
/// of the closure's arguments. The closure runs after all arguments have been checked.
public struct ServiceFunction: Sendable {
  /// The kind of a function, which decides where it may be called.
  public enum Kind: String, Sendable, CaseIterable {
    /// The result depends on the arguments alone. Callable everywhere, on the host's thread.
    case pure
    /// Returns at once, on the host's thread. Refused in reducers, views and mappers.
    case immediate
    /// Runs outside the host while its task waits. Effects only.
    case asynchronous
    /// Like ``asynchronous``; the result is a stream of values that Lua iterates.
    case stream
    /// Like ``asynchronous``; the result is a handle with methods.
    case opening

    /// Whether the task waits for the result.
    package var waits: Bool { self != .pure && self != .immediate }
  }

  /// The Swift code, which receives the checked arguments.
  package enum Body: Sendable {
    case now(@Sendable (ServiceCall, ServiceArguments) throws -> ServiceResult)
    /// Checks the arguments, and returns the code that runs outside the host.
    case later(
      @Sendable (ServiceArguments) throws -> @Sendable (ServiceCall) async throws -> Answer)
    /// The service's script has the code.
    case script
  }

  /// The answer of a function that runs outside the host.
  package enum Answer: Sendable {
    case result(ServiceResult)
    case opened(OpenHandle)
  }

  /// The name.
  package let name: String
  /// One sentence: what the function returns or does.
  package let summary: String
  /// The kind.
  package let kind: Kind
  /// The parameters in order, the named ones last.
  package let parameters: [ParameterFacts]
  /// The type of the result as the documentation shows it; empty for nothing.
  package let returns: String
  /// The kind of handle that the function opens.
  package let opened: HandleKind?
  package let body: Body

  /// Whether the code is in Lua.
  var isScripted: Bool { if case .script = body { true } else { false } }

  init(
    _ name: String, _ summary: String, _ kind: Kind, _ parameters: [ParameterFacts],
    returns: String, opened: HandleKind? = nil, _ body: Body
  ) {
    self.name = name
    self.summary = summary
    self.kind = kind
    self.parameters =
      parameters.filter { $0.presence != .named }
      + parameters.filter { $0.presence == .named }
    self.returns = returns
    self.opened = opened
    self.body = body
  }
}

extension ServiceFunction {
  /// Declares a function whose result depends on its arguments alone.
  ///
  /// It can be called everywhere. It runs on the host's thread, so it must be quick.
  public static func pure<each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String = "",
    body: @escaping @Sendable (ServiceCall, repeat each P) throws -> ServiceResult
  ) -> ServiceFunction {
    atOnce(.pure, name, summary, repeat each parameters, returns: returns, body: body)
  }

  /// Declares a function that returns at once and depends on more than its arguments, such as a
  /// clock.
  ///
  /// It is refused in reducers, views and mappers. It runs on the host's thread, so it must be
  /// quick.
  public static func immediate<each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String = "",
    body: @escaping @Sendable (ServiceCall, repeat each P) throws -> ServiceResult
  ) -> ServiceFunction {
    atOnce(.immediate, name, summary, repeat each parameters, returns: returns, body: body)
  }

  /// Makes a function that is called on the host's thread.
  private static func atOnce<each P: Sendable>(
    _ kind: Kind, _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String, body: @escaping @Sendable (ServiceCall, repeat each P) throws -> ServiceResult
  ) -> ServiceFunction {
    let readers = readers(of: repeat each parameters)
    return ServiceFunction(
      name, summary, kind, facts(repeat each parameters), returns: returns,
      .now { call, arguments in
        var reading = ArgumentReading(readers, arguments)
        return try body(call, repeat try reading.next((each P).self))
      })
  }

  /// Declares a function that takes time, which effects wait for.
  ///
  /// It runs outside the host on threads for services, so it may also block. Its Swift task is
  /// cancelled with the task that waits.
  public static func asynchronous<each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    returns: String = "",
    body: @escaping @Sendable (ServiceCall, repeat each P) async throws -> ServiceResult
  ) -> ServiceFunction {
    let readers = readers(of: repeat each parameters)
    return ServiceFunction(
      name, summary, .asynchronous, facts(repeat each parameters), returns: returns,
      .later { arguments in
        var reading = ArgumentReading(readers, arguments)
        let values = (repeat try reading.next((each P).self))
        return { call in .result(try await body(call, repeat each values)) }
      })
  }

  /// Declares a function that returns a stream of values, which effects iterate:
  /// `for event in moon.http.events(url) do … end`.
  ///
  /// `of` is the type of the values as the documentation shows it. The sequence is read one value
  /// ahead of the script, and waits while the host holds much for the module. It is cancelled when
  /// the script closes the stream or when the task that opened it ends. A source that can be made
  /// to wait can send its values through a ``ServiceChannel``; one that can't, such as an
  /// `AsyncStream`, needs a buffering policy with a limit.
  public static func stream<Source: AsyncSequence & Sendable, each P: Sendable>(
    _ name: String, _ summary: String, _ parameters: repeat ServiceParameter<each P>,
    of element: String,
    body: @escaping @Sendable (ServiceCall, repeat each P) async throws -> Source
  ) -> ServiceFunction where Source.Element == ServiceResult {
    let readers = readers(of: repeat each parameters)
    return ServiceFunction(
      name, summary, .stream, facts(repeat each parameters), returns: "stream of \(element)",
      opened: ServiceStream.handle.kind,
      .later { arguments in
        var reading = ArgumentReading(readers, arguments)
        let values = (repeat try reading.next((each P).self))
        return { call in
          .opened(
            ServiceStream.handle.open(
              ServiceStream(try await body(call, repeat each values), in: call.memory),
              with: call.used))
        }
      })
  }

  /// Declares a function that opens a handle with methods, such as a connection.
  ///
  /// The handle is closed when the script closes it or when the task that opened it ends.
  public static func opening<Resource: Sendable, each P: Sendable>(
    _ name: String, _ summary: String, _ handle: ServiceHandle<Resource>,
    _ parameters: repeat ServiceParameter<each P>,
    body: @escaping @Sendable (ServiceCall, repeat each P) async throws -> Resource
  ) -> ServiceFunction {
    let readers = readers(of: repeat each parameters)
    return ServiceFunction(
      name, summary, .opening, facts(repeat each parameters), returns: handle.kind.name,
      opened: handle.kind,
      .later { arguments in
        var reading = ArgumentReading(readers, arguments)
        let values = (repeat try reading.next((each P).self))
        return { call in
          .opened(handle.open(try await body(call, repeat each values), with: call.used))
        }
      })
  }

  static func readers<each P>(
    of parameters: repeat ServiceParameter<each P>
  ) -> [ArgumentReader] {
    var readers: [ArgumentReader] = []
    for parameter in repeat each parameters { readers.append(parameter.reader) }
    return readers
  }

  static func facts<each P>(_ parameters: repeat ServiceParameter<each P>) -> [ParameterFacts] {
    var facts: [ParameterFacts] = []
    for parameter in repeat each parameters { facts.append(parameter.facts) }
    return facts
  }

  /// The parameters as the documentation shows them: `(url, [zone], {headers, timeout = 30})`.
  package var signature: String {
    var parts = parameters.filter { $0.presence == .required }.map(\.name)
    parts += parameters.filter { $0.presence == .optional }.map { "[\($0.name)]" }
    let named = parameters.filter { $0.presence == .named }.map { parameter in
      parameter.name + (parameter.fallback.map { " = \($0)" } ?? "")
    }
    if !named.isEmpty { parts.append("{\(named.joined(separator: ", "))}") }
    return "\(name)(\(parts.joined(separator: ", ")))"
  }
}
