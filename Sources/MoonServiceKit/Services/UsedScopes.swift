import Synchronization

/// The scopes that a call has required, with which goes what it has opened.
package final class UsedScopes: Sendable {
  /// The maximum number of scopes that are remembered of one call.
  package static let countMax = 64

  private struct Contents {
    var scopes: Set<Scope> = []
    weak var handle: OpenHandle?
    var isRevoked = false
  }

  private let module: ModuleName
  private let requested: RequestedScopes
  private let contents = Mutex(Contents())

  package init(of module: ModuleName, _ requested: RequestedScopes) {
    (self.module, self.requested) = (module, requested)
  }

  func note(_ scope: Scope) {
    contents.withLock { contents in
      if contents.scopes.count < Self.countMax { contents.scopes.insert(scope) }
    }
  }

  /// Notes what the call has opened, which is closed if a scope was taken back meanwhile.
  func note(_ handle: OpenHandle) {
    let isRevoked = contents.withLock { contents in
      contents.handle = handle
      return contents.isRevoked
    }
    if isRevoked { handle.close() }
  }

  /// Checks that all scopes are granted still.
  ///
  /// - Throws: ``GrantRefusal``.
  package func check(_ grants: Grants) throws(GrantRefusal) {
    let permissions = Permissions(requested, grants)
    for scope in contents.withLock({ $0.scopes }) { try permissions.check(scope, of: module) }
  }

  /// Closes what the call has opened, or will open, unless all scopes are granted still.
  package func closeUnlessGranted(by grants: Grants) {
    do throws(GrantRefusal) {
      try check(grants)
    } catch {
      let handle = contents.withLock { contents in
        contents.isRevoked = true
        return contents.handle
      }
      handle?.close()
    }
  }
}
