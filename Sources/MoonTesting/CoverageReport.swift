import Glibc
import MoonLua
import MoonTerminal
package import Moonwire

/// The lines of an app's scripts that have run in its tests, and those that haven't.
package struct CoverageReport {
  /// The lines of one file.
  struct File {
    let path: String
    /// How often each line with code has run.
    let counts: [(line: Int, count: UInt32)]

    var hitCount: Int { counts.count { $0.count > 0 } }
  }

  private let files: [File]

  /// Begins to count lines, in all hosts that the process makes from now on.
  package static func begin() { LineCoverage.set(true) }

  /// Ends the counting, and compares what has run with the scripts of a directory; its tests don't
  /// count.
  package init(of scripts: ScriptDirectory) {
    LineCoverage.set(false)
    let counts = LineCoverage.counts()
    let paths = ((try? scripts.scan())?.entries ?? []).map(\.path).filter {
      !$0.hasPrefix("tests/") && !$0.contains("/tests/")
    }
    files = paths.compactMap { path in
      guard let source = try? scripts.read(path),
        let lines = LineCoverage.codeLines(of: source.bytes)
      else { return nil }
      let own = counts[path] ?? [:]
      return File(path: path, counts: lines.sorted().map { ($0, own[$0] ?? 0) })
    }
  }

  /// The share of lines that have run, for each file and all.
  package var lines: [String] {
    let rows =
      files.map { ($0.path, $0.hitCount, $0.counts.count) }
      + [
        (
          "all", files.reduce(0) { $0 + $1.hitCount }, files.reduce(0) { $0 + $1.counts.count }
        )
      ]
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, hits, all in
      let share = all == 0 ? 100 : Double(hits * 1_000 / all) / 10
      let padding = String(repeating: " ", count: width - name.count)
      return TerminalText.singleLine(
        "\(name)\(padding)  \(share) % of \(Wording.counted(all, "line"))")
    }
  }

  /// The counts of all lines in the format of lcov.
  package var lcov: String {
    files.map { file in
      // The format has no other way to write a newline, and nothing finds such a file.
      "TN:\nSF:\(TerminalText.singleLine(file.path))\n"
        + file.counts.map { "DA:\($0.line),\($0.count)\n" }.joined()
        + "LF:\(file.counts.count)\nLH:\(file.hitCount)\nend_of_record\n"
    }.joined()
  }

  /// Writes the counts to a file in the format of lcov.
  ///
  /// - Throws: ``SystemError``; a file that was there is then as it was.
  package func write(to path: String) throws(SystemError) {
    try WholeFile.replace(path, with: Array(lcov.utf8), mode: 0o666)
  }
}
