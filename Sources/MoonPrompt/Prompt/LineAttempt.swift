import Moonwire

/// The reason that a text wasn't carried out as a line.
package enum LineProblem: Error, Sendable {
  /// The text needs more lines; the report applies if there are none.
  case incomplete(Report)
  /// The text is malformed, and more lines can't complete it.
  case malformed(Report)
  /// The line is sound, and its action, its Lua or its command has failed.
  case failed(PromptError)

  package init(_ error: PromptError) {
    self =
      if error.isIncomplete {
        .incomplete(error.report)
      } else if error.isMalformed {
        .malformed(error.report)
      } else {
        .failed(error)
      }
  }

  /// The report for people and programs.
  package var report: Report {
    switch self {
    case .incomplete(let report), .malformed(let report): report
    case .failed(let error): error.report
    }
  }
}

extension PromptSession {
  /// Reads a line, which may refer to what the app has.
  ///
  /// - Throws: ``LineProblem/incomplete(_:)`` or ``LineProblem/malformed(_:)``
  package func line(_ text: String) async throws(LineProblem) -> PromptLine {
    do throws(PromptLineError) {
      return try PromptLine(parsing: text)
    } catch {
      if error.isIncomplete(in: text) { throw .incomplete(error.report) }
      let actions = await host.actionInfos().map(\.type)
      throw .malformed(error.report(knowing: actions))
    }
  }
}
