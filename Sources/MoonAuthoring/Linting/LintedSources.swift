import MoonPrompt
import Moonwire

/// The texts of an app's scripts, as far as they show likely mistakes by themselves.
struct LintedSources {
  private let remarks: [(path: String, remarks: SourceRemarks)]
  /// The findings about locals.
  let locals: [Finding]

  /// Reads the files of a listing; those that don't compile are `broken`.
  init(_ paths: [String], in scripts: ScriptDirectory, broken: Set<String>) {
    let remarks = paths.compactMap { path -> (path: String, remarks: SourceRemarks)? in
      guard !broken.contains(path), let source = try? scripts.read(path) else { return nil }
      return (path, SourceRemarks(source.bytes))
    }
    self.remarks = remarks
    locals = remarks.flatMap { path, remarks in
      remarks.locals.map { local -> Finding in
        let place = SourcePlace(file: path, line: local.line)
        switch local.reason {
        case .unread:
          return Finding(
            .unusedLocal,
            Report(
              .warning, "local \(local.name) is never read", at: place,
              rows: [.init("help", "remove it; a name that begins with _ says that it is meant so")]
            ),
            column: local.column)
        case .hiding(let line):
          return Finding(
            .shadowedLocal,
            Report(
              .note, "\(local.name) hides the local of that name in line \(line)", at: place,
              rows: [.init("help", "give one of them another name")]), column: local.column)
        }
      }
    }
  }

  /// Returns findings without those that a comment ignores, and with a note for each comment that
  /// ignores nothing.
  ///
  /// Problems can't be ignored.
  func withoutIgnored(_ findings: [Finding]) -> [Finding] {
    var comments: [Place: [Int]] = [:]
    var ignored:
      [(code: String, comment: SourceRemarks.IgnoreComment, path: String, isUsed: Bool)] =
        []
    for (path, remarks) in remarks {
      for comment in remarks.ignores {
        let place = Place(file: path, line: comment.line + (comment.isAlone ? 1 : 0))
        for code in comment.codes {
          comments[place, default: []].append(ignored.count)
          ignored.append((code, comment, path, false))
        }
      }
    }
    let kept = findings.filter { finding in
      guard let place = finding.place,
        let indices = comments[Place(file: place.file, line: place.line)]
      else { return true }
      let own = indices.filter { ignored[$0].code == finding.code.rawValue }
      for index in own { ignored[index].isUsed = true }
      return own.isEmpty
    }
    return kept
      + ignored.filter { !$0.isUsed }.map { Self.unused($0.code, $0.comment, $0.path) }
  }

  private struct Place: Hashable {
    let file: String
    let line: Int
  }

  private static func unused(
    _ code: String, _ comment: SourceRemarks.IgnoreComment, _ path: String
  ) -> Finding {
    let known = CheckCode(rawValue: code)
    let help =
      switch known?.severity {
      case nil:
        Spelling.nearest(to: code, in: CheckCode.allCases.map(\.rawValue)).map {
          "did you mean \($0)?"
        } ?? "moonwire explain lists the codes"
      case .error?: "a problem can't be ignored: the module isn't in service"
      default: "remove the comment"
      }
    return Finding(
      .unusedIgnore,
      Report(
        .note,
        known == nil
          ? "'\(code)' is no code of a warning" : "there is no \(code) here to ignore",
        at: SourcePlace(file: path, line: comment.line), rows: [.init("help", help)]),
      column: comment.column)
  }
}
