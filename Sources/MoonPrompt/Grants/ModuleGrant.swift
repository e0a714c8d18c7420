import MoonTerminal
package import Moonwire

/// A scope that a module requests, and whether it is granted.
package struct ModuleGrant: Sendable {
  package let rule: Grants.Rule
  let answer: Grants.Answer
  /// Whether the module is in service, though it may lack the grant.
  let isInService: Bool
  package let isOptional: Bool
  package let reason: String?
  /// The place of the request in the module's file; nil if it isn't known.
  package let place: SourcePlace?
  /// Where links in the path of the scope lead; nil if there are none.
  package let destination: String?

  /// Whether nobody has granted or denied it.
  package var isOpen: Bool { answer == .notGranted }
  package var module: ModuleName? { rule.module }
  package var scope: Scope { rule.scope }

  /// The reason and whether it is optional: ` to show your notes (optional)`.
  package var purpose: String {
    (reason.map { " \($0)" } ?? "") + (isOptional ? " (optional)" : "")
  }

  /// Returns what the modules of a host request, or one of them.
  package static func all(of module: ModuleName? = nil, on host: Host) async -> [ModuleGrant] {
    await host.perform { host in
      let grants = host.grants
      return host.moduleInfos().filter { module == nil || $0.name == module }.flatMap { info in
        let places = Dictionary(
          info.problems.compactMap { problem -> (Scope, SourcePlace)? in
            if case .notGranted(let scope, _, _) = problem.reason {
              (scope, problem.place)
            } else {
              nil
            }
          }
        ) { first, _ in first }
        // What files that weren't loaded request.
        let wanted = info.problems.lazy.compactMap(\.requested).first ?? RequestedScopes()
        let optional =
          info.optionalNeeds + wanted.optional.filter { !info.optionalNeeds.contains($0) }
        let needs =
          info.needs
          + places.keys.filter { !info.needs.contains($0) }
          .sorted { "\($0)" < "\($1)" }
        return (needs.map { ($0, false) } + optional.map { ($0, true) }).map {
          ModuleGrant(
            rule: Grants.Rule($0, for: info.name), answer: grants.answer(to: $0, of: info.name),
            isInService: info.status != .failed, isOptional: $1,
            reason: info.reasons[$0] ?? wanted.reasons[$0],
            place: places[$0], destination: grants.destination(of: $0))
        }
      }
    }
  }
}
