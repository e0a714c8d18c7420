/// The files that are looked at once more in a moment, each with the number of its latest news.
struct Retries {
  private var numbers: [String: Int] = [:]
  private var count = 0

  /// Notes news of some files; returns its number.
  mutating func add(_ paths: Set<String>) -> Int {
    count += 1
    for path in paths { numbers[path] = count }
    return count
  }

  /// Takes off those of some files that have had no news since the one with a number.
  ///
  /// A file that was saved again meanwhile gets its time from then.
  mutating func take(_ paths: Set<String>, since number: Int) -> Set<String> {
    let taken = paths.filter { numbers[$0] == number }
    for path in taken { numbers[path] = nil }
    return taken
  }
}
