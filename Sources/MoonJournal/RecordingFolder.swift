import Glibc
package import Moonwire

/// A directory of recordings, one for each session, with increasing numbers.
package struct RecordingFolder: Sendable {
  /// The maximum number of recordings; the oldest are deleted for new ones.
  package static let countMax = 50

  private static let (prefix, suffix) = ("recording-", ".jsonl")

  /// The path of the directory.
  package let path: String

  /// Makes the folder at a path; the directory is made with the first recording.
  package init(_ path: String) { self.path = path }

  /// The numbers of the recordings, lowest first.
  package var numbers: [Int] {
    // Without a directory, there are none yet.
    let names = (try? DirectoryNames.all(in: path)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix),
        let number = Int(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count)),
        (1..<Int(Int32.max)).contains(number), self.name(of: number) == name
      else { return nil }
      return number
    }.sorted()
  }

  /// Returns the path of the recording with a number.
  package func path(of number: Int) -> String { "\(path)/\(name(of: number))" }

  private func name(of number: Int) -> String { "\(Self.prefix)\(number)\(Self.suffix)" }

  /// Creates the recording after the last, and deletes the oldest if there are too many.
  ///
  /// - Throws: ``JournalError``
  package func begin(
    redaction: Redaction = Redaction()
  ) throws(JournalError) -> (number: Int, file: RecordingFile) {
    do throws(SystemError) {
      try PrivateFile.makeDirectory(path)
    } catch {
      throw JournalError(path, .failed("\(error)"))
    }
    let numbers = numbers
    let number = (numbers.last ?? 0) + 1
    let file = try RecordingFile(path(of: number), redaction: redaction)
    for old in numbers.dropLast(Self.countMax - 1) { erase(old) }
    return (number, file)
  }

  /// Deletes the recording with that number, if there is one.
  package func erase(_ number: Int) { unlink(path(of: number)) }
}
