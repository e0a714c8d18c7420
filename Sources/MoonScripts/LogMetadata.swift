import Logging
package import MoonActions

extension Logger.Metadata {
  /// Makes the metadata of a line about a module: its name, and the numbers of the session and of
  /// the action.
  package init(module: String?, session: SessionID?, action: Int64?) {
    self.init()
    self["module"] = module.map { .string($0) }
    self["session"] = session.map { .stringConvertible($0.number) }
    self["action"] = action.map { .stringConvertible($0) }
  }
}
