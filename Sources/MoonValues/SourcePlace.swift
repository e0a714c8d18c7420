/// A line of a file of the script directory: where something was written.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path relative to the script directory, such as `todo/init.lua`.
  public var file: String
  /// Counted from 1; 0 when only the file is known.
  public var line: Int

  /// Names a line of a file.
  public init(file: String, line: Int = 0) {
    self.file = file
    self.line = line
  }

  /// `file:line`, or the file alone.
  public var description: String { line > 0 ? "\(file):\(line)" : file }
}
