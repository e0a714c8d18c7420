/// A line of a file in the script directory.
public struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path relative to the script directory, such as `todo/init.lua`.
  public var file: String
  /// The line, counted from 1; 0 if only the file is known.
  public var line: Int

  /// Makes a place from a file and a line.
  public init(file: String, line: Int = 0) {
    self.file = file
    self.line = line
  }

  /// `file:line`, or the file alone.
  public var description: String { line > 0 ? "\(file):\(line)" : file }
}
