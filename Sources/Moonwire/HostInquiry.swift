public import MoonActions
public import MoonModules
package import MoonServiceKit
public import MoonSession
import MoonValues

extension ActionChain {
  /// Finds out why an action came, what it did, and what it led to.
  ///
  /// - Throws: ``TimelineError/noStep(_:)`` if the history of the session has no such action.
  /// - Complexity: O(actions in the history), and what carrying out the action takes.
  public init(
    of id: Int64, in session: SessionID, on host: isolated Host
  ) throws(TimelineError) {
    guard let session = host.session(session) else { throw .noSession }
    defer { host.sessions.finishCalls() }
    self = try SessionTimeline(of: session).chain(of: id)
  }
}

/// A registration of a module in service.
package struct ListedRegistration: Sendable, Equatable {
  package let module: ModuleName
  package let registration: Registration

  package init(module: ModuleName, registration: Registration) {
    self.module = module
    self.registration = registration
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
  fileprivate func listeners(to type: Text) -> [Registration] {
    let all: [(Registration, ActionPattern)] =
      middleware.map { ($0.registration, $0.pattern) }
      + moduleMappers.map { ($0.registration, $0.pattern) }
      + (reducers + wholeStateReducers).map { ($0.registration, $0.pattern) }
      + navigationMappers.map { ($0.registration, $0.pattern) }
      + afterReduce.map { ($0.registration, $0.pattern) }
      + effects.filter { !$0.isKept }.map { ($0.registration, $0.pattern) }
    return all.filter { $0.1.matches(type) }.map(\.0)
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
