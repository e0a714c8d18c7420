public import Logging

/// How a host works.
public struct HostOptions: Sendable {
  /// How long the code of modules may run.
  public var budgets = Budgets()
  /// Where the time of actions comes from.
  public var clock = Clock.system
  /// Where `print` and `moon.log` of modules go.
  public var logger = Logger(label: "moonwire")
  /// Where `print` at the prompt goes: to the person who typed it.
  public var printed: @Sendable (String) -> Void = { print($0) }

  /// Makes the usual options.
  public init() {}
}
