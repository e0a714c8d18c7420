public import MoonActions
public import MoonServiceKit
public import MoonValues

/// Work of a host that has a span.
public enum TelemetryOperation: Sendable, Equatable {
  /// An action's way through the stages, from its turn on until it is committed and everything that
  /// responds to it was called; of several actions that are carried out as one, the first.
  case action(Text, id: Int64, in: SessionID)
  /// A run of a module's code that may wait: of an effect, a command, a guard, or a function that
  /// one of them has spawned.
  case task(TaskID, Registration, of: ModuleName, in: SessionID)
  /// A call of a service's function, such as `http.get`, unless the function only computes.
  case call(String, by: ModuleName, in: SessionID)
  /// The attempt of a route that matches a URL to take it, with everyone who is asked about it; the
  /// text is its pattern.
  case route(Text, of: ModuleName, in: SessionID)
  /// The loading of a module; a reload makes the next generation.
  case load(ModuleName, generation: Int)
  /// The wait until the commits of a session are in its journal.
  case commit(in: SessionID)
}

extension TelemetryOperation {
  /// The kind of work and what it is done with, such as `action counter/add`, `effect cart/pay`,
  /// `call http.get`, `route /cart/:id`, `load cart` and `commit`.
  public var name: String {
    switch self {
    case .action(let type, _, _): "action \(type)"
    case .task(_, let registration, _, _): registration.description
    case .call(let function, _, _): "call \(function)"
    case .route(let pattern, _, _): "route \(pattern)"
    case .load(let module, _): "load \(module)"
    case .commit: "commit"
    }
  }

  /// The name of the module, for an action the one in its type; nil for a commit.
  public var module: String? {
    switch self {
    case .action(let type, _, _): type.moduleName
    case .task(_, _, let module, _), .call(_, let module, _), .route(_, let module, _),
      .load(let module, _):
      module.text
    case .commit: nil
    }
  }

  /// The session; nil for the loading of a module, which is for all.
  public var session: SessionID? {
    switch self {
    case .action(_, _, let session), .task(_, _, _, let session), .call(_, _, let session),
      .route(_, _, let session), .commit(let session):
      session
    case .load: nil
    }
  }
}

/// The end of an operation.
public enum TelemetryResult: Sendable, Equatable {
  /// It was done.
  case done
  /// It was refused, for this short reason.
  case refused(String)
  /// It failed, for this short reason.
  case failed(String)
  /// It was ended, or given up, before it was done.
  case cancelled
}

/// A figure about the work of a host.
public enum TelemetryMetric: Sendable, Equatable {
  /// An action of this module has ended so; nil stands for a type that no module knows.
  case action(String?, TelemetryResult)
  /// A call of the module's code has failed.
  case fault(ModuleName)
  /// The number of the module's tasks, such as effects that wait, has changed by this.
  case tasks(ModuleName, by: Int)
  /// So many actions waited in a session when the next one was taken from its queue.
  case queue(Int)
  /// The machine of the module uses so many bytes; told once a second while the host is at work.
  case memory(ModuleName, bytes: Int)
}

extension Text {
  /// The name of the module in the type of an action.
  package var moduleName: String { String(string.prefix { $0 != "/" }) }
}
