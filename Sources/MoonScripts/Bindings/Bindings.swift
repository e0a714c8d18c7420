package import Logging
package import MoonModules
import MoonServiceKit
package import MoonSession

/// What all code of a host shares: the log, the services, and which code is running.
///
/// Confined to the host.
package final class Bindings {
  /// Records whose code is running.
  package let activity: Activity
  private let logger: Logger
  /// The destination of `print` at the prompt.
  private let printed: @Sendable (String) -> Void
  private var random = SystemRandomNumberGenerator()
  private var floods: [String: RateLimit] = [:]
  package let services: ServiceDesk

  package init(
    _ services: ServiceDesk, logger: Logger, telemetry: (any Telemetry)? = nil,
    printing: @escaping @Sendable (String) -> Void
  ) {
    activity = Activity(telemetry: telemetry)
    self.services = services
    self.logger = logger
    printed = printing
  }

  package func randomSeed() -> UInt64 { random.next() }

  /// Prints what a module prints to the log, and what was typed at the prompt for the person.
  func print(_ text: String, from module: ModuleName?) {
    if module == nil { printed(text) } else { log(.info, text, from: module) }
  }

  /// Logs a text of a module, or of the prompt.
  func log(_ level: Logger.Level, _ text: String, from module: ModuleName?) {
    let module = module?.text ?? "prompt"
    let text = LogLimit.shortened(text)
    switch floods[module, default: LogLimit.rate].count(bytes: text.utf8.count) {
    case .kept: break
    case .keptAfter(let dropped):
      write(.warning, "\(dropped) lines were dropped", from: module)
    case .firstDropped:
      write(
        .warning,
        "more than \(LogLimit.linesMax) lines or \(LogLimit.bytesMax >> 20) MB in a second:"
          + " the rest is dropped", from: module)
      return
    case .dropped: return
    }
    write(level, text, from: module)
  }

  private func write(_ level: Logger.Level, _ text: String, from module: String) {
    logger.log(level: level, "\(text)", metadata: metadata(of: module))
  }

  /// Returns the metadata of a line: the module, and the session and the action that its code runs
  /// for, if there are any.
  private func metadata(of module: String) -> Logger.Metadata {
    let session = activity.call?.session
    return Logger.Metadata(module: module, session: session?.id, action: session?.current.actionID)
  }
}
