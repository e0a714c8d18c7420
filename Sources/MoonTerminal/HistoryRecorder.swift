/// The choice of history entries.
///
/// It keeps working if the file can't be used.
struct HistoryRecorder {
  private let file: HistoryFile?
  private let onFailure: @Sendable (HistoryError) -> Void
  private var hasFailed = false
  private var last: String?

  init(file: HistoryFile?, onFailure: @escaping @Sendable (HistoryError) -> Void) {
    self.file = file
    self.onFailure = onFailure
  }

  /// Returns the entries of the file, oldest first; none if it can't be read.
  mutating func load() -> [String] {
    guard let file else { return [] }
    do throws(HistoryError) {
      let entries = try file.entries()
      last = entries.last
      return entries
    } catch {
      report(error)
      return []
    }
  }

  /// Appends `line` to the file if it is worth keeping.
  ///
  /// - Returns: The entry as it was recorded; `nil` if it wasn't.
  mutating func record(_ line: String) -> String? {
    // A C string ends at a NUL.
    let entry = line.contains("\0") ? line.replacing("\0", with: "") : line
    guard !entry.hasPrefix(" "), entry.contains(where: { !$0.isWhitespace }), entry != last else {
      return nil
    }
    last = entry
    guard let file else { return entry }
    do throws(HistoryError) {
      try file.append(entry)
    } catch {
      report(error)
    }
    return entry
  }

  private mutating func report(_ error: HistoryError) {
    guard !hasFailed else { return }
    hasFailed = true
    onFailure(error)
  }
}
