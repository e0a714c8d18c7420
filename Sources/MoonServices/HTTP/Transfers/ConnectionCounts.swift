import Glibc
import Moonwire
import Synchronization

/// The connections in use, by module, which may take half of the process's descriptors.
///
/// Once they do, a module begins only as many as a light share, so that others still find some. At
/// three quarters, none does.
enum ConnectionCounts {
  /// The divisor of the number for all that gives a light share.
  private static let lightShare = 16

  private static let counts = Mutex<[ModuleName?: Int]>([:])

  /// The number that all modules may use, unless it is their light share.
  private static let countMax: Int = {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
    return max(16, Int(clamping: limit.rlim_cur) / 2)
  }()

  /// Returns whether a module may use another connection.
  static func mayBegin(_ module: ModuleName?) -> Bool {
    counts.withLock { mayBegin(counts: $0, module, max: countMax) }
  }

  /// Returns whether a module may use another connection beside those in `counts`.
  static func mayBegin(counts: [ModuleName?: Int], _ module: ModuleName?, max: Int) -> Bool {
    let total = counts.values.reduce(0, +)
    if total < max { return true }
    return total < max + max / 2 && counts[module, default: 0] < Swift.max(1, max / lightShare)
  }

  /// Notes how many connections more or fewer a module uses.
  static func note(_ change: Int, of module: ModuleName?) {
    guard change != 0 else { return }
    counts.withLock { counts in
      let count = counts[module, default: 0] + change
      counts[module] = count > 0 ? count : nil
    }
  }
}
