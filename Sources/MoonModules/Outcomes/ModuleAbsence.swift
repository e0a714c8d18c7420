public import MoonServiceKit
public import MoonValues

/// The reason that a module whose files are there isn't in service.
public enum ModuleAbsence: Sendable, Equatable {
  /// Its files couldn't be loaded; this is the first problem.
  case failed(String, at: SourcePlace)
  /// It isn't granted these scopes.
  case notGranted([Scope])
}

extension ModuleAbsence: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .failed(let problem, let place): "\(problem) (\(place))"
    case .notGranted(let scopes):
      "it needs \(Wording.list(scopes.map(\.description))), which "
        + (scopes.count == 1 ? "isn't granted" : "aren't granted")
    }
  }

  /// What to do about it at a prompt.
  package func remedy(for module: ModuleName) -> String {
    switch self {
    case .failed(_, let place): "mend \(place.file), which is loaded again when it is saved"
    case .notGranted(let scopes):
      ":grant \(module) grants it, as "
        + Wording.list(scopes.map { "--allow \(module)=\($0)" }) + " does"
    }
  }
}
