/// The files to check once more after a delay, each with the number of its latest report.
struct Retries {
  /// The delay before a file that fails to load just after a save is tried again.
  static let delay: Duration = .milliseconds(100)

  private var numbers: [String: Int] = [:]
  private var count = 0

  /// Adds a report of some files; returns its number.
  mutating func add(_ paths: Set<String>) -> Int {
    count += 1
    for path in paths { numbers[path] = count }
    return count
  }

  /// Removes and returns those of some files that have had no report since the one with a number.
  ///
  /// A file that was saved again in the meantime waits its full delay from then.
  mutating func take(_ paths: Set<String>, since number: Int) -> Set<String> {
    let taken = paths.filter { numbers[$0] == number }
    for path in taken { numbers[path] = nil }
    return taken
  }
}
