import Logging
import MoonLifecycle
import MoonTelemetry
import Moonwire
import ServiceLifecycle

/// A server that takes orders until it is told to stop, and then packs those that it has taken.
///
/// Run it in this folder with `swift run Server`, and end it with Ctrl-C.
@main struct Server {
  static func main() async throws {
    // A real server bootstraps `LoggingSystem`, `MetricsSystem` and `InstrumentationSystem` here.
    var options = HostOptions()
    options.telemetry = BridgedTelemetry()
    let host = try await Host("scripts", options: options)
    let session = try await host.session()

    // Ended from the last to the first.
    let group = ServiceGroup(
      services: [
        HostService(host), SessionService(session),
        Orders(session: session, logger: options.logger),
      ],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: options.logger)
    try await group.run()
  }
}

/// What calls the session, in place of an HTTP server.
struct Orders: ServiceLifecycle.Service {
  let session: HostSession
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        _ = try? await session.dispatch(Action("orders/place"))
        logger.info("an order was placed")
        try? await Task.sleep(for: .seconds(1))
      }
    }
    logger.info("no more orders")
  }
}
