#if MoonLifecycle
  public import Moonwire
  public import ServiceLifecycle

  /// A session as a service of a `ServiceGroup`.
  ///
  /// When the group shuts down gracefully, the session first waits until its effects have ended, at
  /// most for a time, and is then closed. When the group is cancelled, the effects are cancelled,
  /// too.
  ///
  /// A group ends its services in the reverse order. So the ``HostService`` comes before the
  /// sessions, and what calls them, such as an HTTP server, after them.
  public struct SessionService: ServiceLifecycle.Service {
    private let session: HostSession
    private let time: Duration

    /// Makes the service of an open session, whose effects have a time to end.
    public init(_ session: HostSession, effectsWithin time: Duration = .seconds(10)) {
      (self.session, self.time) = (session, time)
    }

    /// Waits for the shutdown, then for the effects, and closes the session.
    public func run() async {
      try? await gracefulShutdown()
      let (session, time) = (session, time)
      await withTaskCancellationHandler {
        if !Task.isCancelled { await session.waitForEffects(within: time) }
      } onCancel: {
        // Those that nobody waits for any longer; the wait ends with them.
        Task { for task in await session.tasks { await session.cancel(task.id) } }
      }
      await session.close()
    }
  }

  /// A host as a service of a `ServiceGroup`, before the services of its sessions.
  ///
  /// When the group shuts down, the host is closed, after its sessions.
  public struct HostService: ServiceLifecycle.Service {
    private let host: Host

    /// Makes the service of a host.
    public init(_ host: Host) { self.host = host }

    /// Waits for the shutdown, and closes the host.
    public func run() async {
      try? await gracefulShutdown()
      await host.close()
    }
  }
#endif
