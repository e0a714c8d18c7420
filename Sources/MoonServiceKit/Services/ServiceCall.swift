public import MoonActions
public import MoonValues

/// The circumstances of a call of a service's function.
public struct ServiceCall: Sendable {
  /// The function: `http.get`, or `http.socket:send` for a method.
  public let function: String
  /// The module that calls; nil for a person at the prompt.
  public let module: ModuleName?
  /// The session.
  public let session: SessionID
  /// The time in seconds since 1970 for the caller: that of the action before its commit, or else
  /// that of the host's clock.
  public let time: Double
  /// Whether the call is a part of an action's commit, which a replay repeats.
  public let isRepeated: Bool
  /// What the host offers to all services.
  public let surroundings: ServiceSurroundings
  /// A text that is the same when a durable task makes the same call again after its program was
  /// killed; nil for other callers.
  public package(set) var idempotencyKey: Text?
  /// The memory that the host holds for the module.
  ///
  /// The host holds the arguments and the answer of a call. A service holds what it collects or
  /// keeps beside them.
  package var memory = HeldMemory(bytesMax: 0)
  /// The turns of the module's calls that compute for long; nil if they have none.
  package var turns: ComputingTurns?
  /// The module's share of the threads that may block; nil if it has none.
  package var threads: (any TaskExecutor)?
  /// Hides the secrets of the module in a text.
  package var hide: @Sendable (String) -> String = { $0 }
  /// Notes the scopes that the call requires, if it may open something.
  package var used: UsedScopes?
  private let permissions: Permissions

  package init(
    function: String, module: ModuleName?, session: SessionID, time: Double,
    isRepeated: Bool = false, _ permissions: Permissions, _ surroundings: ServiceSurroundings
  ) {
    self.time = time
    self.isRepeated = isRepeated
    self.function = function
    self.module = module
    self.session = session
    self.permissions = permissions
    self.surroundings = surroundings
  }

  /// Runs code that computes for long, as one of few calls of the module at a time.
  ///
  /// It blocks the thread until then, so only services that may block call it.
  package func computing<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let turns else { return try body() }
    return try turns.take(body)
  }

  /// Does the same on another thread, for services whose own thread may not block.
  nonisolated(nonsending) package func computingApart<Result: Sendable>(
    _ body: @Sendable () throws -> Result
  ) async throws -> Result {
    try await withTaskExecutorPreference(threads ?? globalConcurrentExecutor) {
      try computing(body)
    }
  }

  /// Returns a text without the secrets of the module, such as a URL that it was given.
  ///
  /// `(secret)` takes the place of each, also if it is percent-encoded. A service that makes a
  /// text of its arguments passes it on like this; what comes from elsewhere it passes on as it is.
  public func hidingSecrets(in text: String) -> String { hide(text) }

  /// The permissions that the module requests under `needs`.
  public var needs: [Scope] { permissions.needs }

  /// Checks that the module may use a scope.
  ///
  /// A person at the prompt may use everything.
  ///
  /// - Throws: ``GrantRefusal``.
  public func require(_ scope: Scope) throws(GrantRefusal) {
    guard let module else { return }
    try permissions.check(scope, of: module)
    used?.note(scope)
  }

  /// Checks that nothing that names what the module uses is denied to it.
  ///
  /// A denial of one of several names of a thing refuses the thing. A denial of a file also refuses
  /// the directories that it is in: this is for directories that are moved or removed as a whole.
  ///
  /// - Throws: ``GrantRefusal/denied(_:_:by:)``.
  package func requireNotDenied(_ scopes: [Scope]) throws(GrantRefusal) {
    guard let module else { return }
    try permissions.checkDenials(of: scopes, of: module)
  }

  /// Checks that the module may reach a host at a port, before connecting to it or looking up its
  /// name.
  ///
  /// - Throws: ``GrantRefusal``.
  package func require(host: String, port: Int) throws(GrantRefusal) {
    try require(Scope(host: host, port: port))
  }

  /// Checks that the module may reach the address that a name has led to, before connecting to it.
  ///
  /// Public addresses may be reached by any name that is granted. Loopback and private addresses
  /// must be granted themselves.
  ///
  /// - Throws: ``GrantRefusal``.
  package func require(address: String, port: Int) throws(GrantRefusal) {
    if let scope = Self.scope(ofAddress: address, port: port) { try require(scope) }
  }

  /// The scope that a module needs for an address that a name has led to; nil if it needs none.
  package static func scope(ofAddress address: String, port: Int) -> Scope? {
    NetPattern.isLocal(host: address) ? Scope(host: address, port: port) : nil
  }

  /// Checks that the module may read, or write, a file.
  ///
  /// `path` is the absolute path of what is really reached, without symbolic links. Those in the
  /// directories of `needs` and grants are followed.
  ///
  /// - Throws: ``GrantRefusal``.
  public func require(_ access: FileAccess, path: String) throws(GrantRefusal) {
    try require(Scope(access, path: path))
  }

  /// A way of using files.
  public enum FileAccess: String, Sendable {
    case read, write
  }
}

extension Scope {
  /// The permission to use a file or directory at an absolute path without symbolic links.
  public init(_ access: ServiceCall.FileAccess, path: String) {
    self.init(access == .read ? .read : .write, path, isPlace: true)
  }
}

/// What a host offers to its services.
public struct ServiceSurroundings: Sendable {
  /// The directory of the scripts; nil for a host without one.
  public package(set) var scriptDirectory: String?
  /// The directory for what services keep; nil if the program names none.
  ///
  /// It may not exist yet.
  public var dataDirectory: String?
  /// The name of the time zone for people, such as `Europe/Paris`; nil for the system's.
  public var timeZone: String?
  /// The maximum size of one answer in bytes.
  package var answerBytesMax = Self.standardAnswerBytesMax
  /// Writes a warning to the log of the host, for the person who runs it.
  public package(set) var warn: @Sendable (String) -> Void = { _ in }
  /// The source of the time.
  public package(set) var clock = Clock.system

  /// The default maximum size of an answer.
  package static let standardAnswerBytesMax = 16 << 20

  /// Makes the default surroundings: no data directory, the system's time zone.
  public init() {}
}
