package import MoonActions
package import MoonModules
package import MoonSession

extension SessionID {
  /// Returns the keys that do something in the session now, in their order.
  package func keys(on host: isolated Host) -> [KeyTable.Entry] {
    host.session(self).map { KeyInteraction(in: $0, on: host).entries } ?? []
  }

  /// Does what keys do, such as `ctrl+n` or `g i`, while what is shown is shown.
  ///
  /// `focused` is the number of the control that has the focus, for keys that act on it. `cause` is
  /// that of the action if no screen is shown.
  ///
  /// - Throws: ``ScreenError``
  package func press(
    _ keys: String, focused: Int? = nil, seen: SeenScreen = SeenScreen(), cause: Cause = .native,
    on host: isolated Host
  ) throws(ScreenError) -> Outcome {
    guard let session = host.session(self) else { throw .dispatch(.noSession) }
    defer { host.sessions.finishCalls() }
    return try KeyInteraction(in: session, on: host, seen: seen)
      .press(keys, on: focused, cause: cause)
  }
}

extension KeyTable {
  /// Returns the keys of a host: those of the person, and those of the modules in service.
  package static func all(on host: isolated Host) -> KeyTable {
    KeyTable(host.modules.inService.sorted, personal: host.modules.personalKeys)
  }

  /// Sets the keys of the person, which come before those of modules.
  package static func setPersonal(_ keys: [KeyBinding], on host: isolated Host) {
    host.modules.personalKeys = keys
  }
}

extension KeyInteraction {
  fileprivate init(
    in session: Session, on host: isolated Host, seen: SeenScreen = SeenScreen()
  ) {
    self.init(session: session, personal: host.modules.personalKeys, seen: seen)
  }
}
