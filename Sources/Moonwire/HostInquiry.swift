package import MoonActions
package import MoonModules
import MoonServiceKit
package import MoonSession
import MoonValues

extension ActionChain {
  /// Finds out why an action came, what it did, and what it led to.
  ///
  /// - Throws: ``TimelineError/noStep(_:)`` if the history of the session has no such action.
  /// - Complexity: O(actions in the history), and what carrying out the action takes.
  package init(
    of id: Int64, in session: SessionID, on host: isolated Host
  ) throws(TimelineError) {
    guard let session = host.session(session) else { throw .noSession }
    defer { host.sessions.finishCalls() }
    self = try SessionTimeline(of: session).chain(of: id)
  }
}

/// A command of a module in service.
package struct CommandInfo: Sendable {
  /// The name that callers write: `cart/total`.
  package let type: String
  package let description: String?
  package let schema: PayloadSchema?
  package let place: SourcePlace?
}

extension CommandInfo {
  /// Returns the commands of all modules in service, sorted by name.
  package static func all(on host: isolated Host) -> [CommandInfo] {
    host.modules.inService.sorted.flatMap { entry in
      entry.module.commands.map { command in
        CommandInfo(
          type: "\(entry.module.name)/\(command.name)", description: command.description,
          schema: command.schema, place: command.registration.place)
      }
    }.sorted { $0.type < $1.type }
  }
}

extension ListedRegistration {
  /// Returns the registrations that an action of a type concerns, by module: those that listen to
  /// it, and the observers of the slices that its reducers may change.
  package static func all(listeningTo type: Text, on host: isolated Host) -> [ListedRegistration] {
    let modules = host.modules.inService.sorted.map(\.module)
    let slices = Set(
      modules.filter { module in module.reducers.contains { $0.pattern.matches(type) } }
        .map { Text($0.name.text) })
    return modules.flatMap { module in
      (module.listeners(to: type) + module.observers(of: slices)).map {
        ListedRegistration(module: module.name, registration: $0)
      }
    }
  }
}

extension Module {
  /// Returns the registrations that listen to a type, in the order in which an action reaches them.
  fileprivate func listeners(to type: Text) -> [Registration] {
    let found = listeners.filter { $0.pattern.matches(type) }.map(\.registration)
    let first: [RegistrationKind] = [
      .middleware, .moduleMapper, .reducer, .navigationMapper, .afterReduce,
    ]
    return first.flatMap { kind in found.filter { $0.kind == kind } }
      + found.filter { !first.contains($0.kind) }
  }

  fileprivate func observers(of slices: Set<Text>) -> [Registration] {
    observers.filter { observer in
      observer.selection.paths.contains { path in
        guard case .key(let slice)? = path.components.first else { return true }
        return slices.contains(slice)
      }
    }.map(\.registration)
  }
}
