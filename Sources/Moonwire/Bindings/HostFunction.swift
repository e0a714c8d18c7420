import MoonValues

/// The functions of the host that Lua code can call, by number.
enum HostFunction: Int32, CaseIterable {
  case print = 1
  case log
  case dispatch
  case state
  case url
  case canRoute
  case spawn
  case cancel
  case sleep
  case take
  case change
  case await
  case input
  case option
  case top
  case timer
  case emit
  case rest
  case outcome
  case screen
  case callCommand
  case result
  case requestRefusal
  case task
  case beginAnew
  // From MOON_TAKES_BYTES on, arguments may hold strings of any bytes.
  case service = 100
  case services
  case closeHandle
  case settings

  /// What the prelude gets: the number of each function, and the host's version.
  static let prelude: Value = {
    var map = Map(allCases.map { (Key.string(Text("\($0)")), Value.int(Int64($0.rawValue))) })
    map["version"] = .string(Text(Version.current))
    return .map(map)
  }()
}
