package import MoonValues

/// The table of the host's functions.
package enum HostFunctions {
  /// All functions.
  static let all =
    LoggingFunctions.all + ActionFunctions.all + StateFunctions.all + TaskFunctions.all
    + ServiceFunctions.all

  /// From this number on (`MOON_TAKES_BYTES`), arguments may hold strings of any bytes.
  private static let firstWithBytes: Int32 = 100

  /// Returns the function with a number; nil if there is none.
  static func numbered(_ number: Int32) -> HostFunction? {
    let index = Int(number < firstWithBytes ? number : number - firstWithBytes) - 1
    return all.indices.contains(index) ? all[index] : nil
  }

  /// What the Lua code gets: the number of each function, and the host's version.
  package static let prelude: Value = {
    var map: Map = ["version": .string(Text(Version.current))]
    for (function, index) in zip(all, Int32(1)...) {
      let number = function.takesBytes ? firstWithBytes + index : index
      map[.string(Text(function.name))] = .int(Int64(number))
    }
    return .map(map)
  }()
}
