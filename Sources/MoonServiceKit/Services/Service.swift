/// A part of the world that modules can use, such as the network or a clock, as `moon.NAME`.
///
/// This declaration is the only one. The checks of arguments, the texts of errors, completion at
/// the prompt and the documentation follow from it.
///
/// ```swift
/// let dice = Service(
///   "dice", "Throws dice.",
///   functions: [
///     .immediate(
///       "throw", "Returns the sum of some dice.", .option(.integer("count", in: 1...100), or: 1),
///       returns: "integer"
///     ) { call, count in
///       .integer((0..<count).reduce(0) { sum, _ in sum + Int.random(in: 1...6) })
///     }
///   ])
/// ```
public struct Service: Sendable {
  /// The name under `moon`: lowercase letters, digits and underscores.
  public let name: String
  /// One sentence about the service.
  public let summary: String
  /// The functions, sorted by name.
  public let functions: [ServiceFunction]
  /// The Lua code of its scripted functions.
  package let script: ServiceScript?
  /// Whether its asynchronous functions may block the thread that runs them.
  package let mayBlock: Bool
  /// Returns what runs the asynchronous functions of a service that doesn't block, for a module;
  /// nil for Swift's threads.
  package var executor: (@Sendable (ModuleName?) -> any TaskExecutor)?
  /// Releases what the service holds, when a host that offers it closes.
  package let close: @Sendable () async -> Void

  /// Declares a service.
  ///
  /// Asynchronous functions may block: they run on threads of the services' own. Pass false for
  /// `mayBlock` if none does, such as when all of them wait for sockets with `await`; they then run
  /// on Swift's threads, which takes less time.
  /// `closing` releases what the service holds. It is called for each host that offered the service
  /// when that host closes.
  public init(
    _ name: String, _ summary: String, functions: [ServiceFunction], mayBlock: Bool = true,
    closing: @escaping @Sendable () async -> Void = {}
  ) {
    self.init(
      name, summary, functions: functions, script: nil, mayBlock: mayBlock, closing: closing)
  }

  /// Declares a service, some of whose functions `script` has.
  package init(
    _ name: String, _ summary: String, functions: [ServiceFunction], script: ServiceScript?,
    mayBlock: Bool = true, closing: @escaping @Sendable () async -> Void = {}
  ) {
    self.name = name
    self.summary = summary
    self.functions = functions.sorted { $0.name < $1.name }
    self.script = script
    self.mayBlock = mayBlock
    close = closing
  }

  /// The kinds of handle that its functions open, sorted by name.
  package var handles: [HandleKind] {
    var kinds: [String: HandleKind] = [:]
    for kind in functions.compactMap(\.opened) { kinds[kind.name] = kind }
    return kinds.values.sorted { $0.name < $1.name }
  }

  /// The functions in Swift, also those that only the script calls.
  package var hostFunctions: [ServiceFunction] {
    functions.filter { !$0.isScripted } + (script?.functions ?? [])
  }
}
