import MoonPrompt
import MoonTerminal
import Moonwire
import Synchronization

/// The questions to a person about what modules need, each asked once.
final class GrantQuestions: Sendable {
  private let host: Host
  private let directory: String
  private let file: GrantsFile?
  private let asked = Mutex<Set<Grants.Rule>>([])

  init(_ host: Host, directory: String, file: GrantsFile?) {
    self.host = host
    self.directory = directory
    self.file = file
  }

  /// A module's request that nobody has granted or denied.
  private struct Request {
    let rule: Grants.Rule
    let place: SourcePlace
    /// Where links in the path of the scope lead; nil if there are none.
    let destination: String?

    var prompt: String {
      let scope = "\(rule.scope)" + (destination.map { ", which leads to \($0)" } ?? "")
      return "\(place): module \(rule.module?.text ?? "") needs \(scope). Grant it? [y/n/always] "
    }
  }

  /// Asks about every missing grant that kept modules from being loaded, and loads them again.
  ///
  /// `answer` shows a question and returns what was typed; nil at the end of input.
  func ask(
    _ output: TerminalOutput, _ answer: (_ question: String) async -> String?
  ) async {
    var granted: [Grants.Rule] = []
    for request in await requests() {
      guard let text = await answer(TerminalText.sanitized(request.prompt)) else { break }
      switch text.trimmingSpace.lowercased() {
      case "y", "yes": granted.append(request.rule)
      case "a", "always":
        granted.append(request.rule)
        keep(request.rule, output)
      default: break
      }
    }
    if !granted.isEmpty { await host.allow(granted) }
  }

  private func keep(_ rule: Grants.Rule, _ output: TerminalOutput) {
    guard let file else {
      return output.printNotice(
        Report(.warning, "there is no place for grants: it counts for this run"))
    }
    do throws(GrantsFileError) {
      try file.add(rule, for: directory)
    } catch {
      output.printNotice(error.report(at: file.path))
    }
  }

  /// Returns the requests that haven't been asked about, and marks them.
  private func requests() async -> [Request] {
    let (modules, grants) = await host.perform { ($0.moduleInfos(), $0.grants) }
    let all = modules.flatMap { module in
      module.problems.compactMap { problem -> Request? in
        guard case .notGranted(let scope, .notGranted) = problem.reason else { return nil }
        return Request(
          rule: Grants.Rule(scope, for: module.name), place: problem.place,
          destination: grants.destination(of: scope))
      }
    }
    return asked.withLock { asked in all.filter { asked.insert($0.rule).inserted } }
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmingSpace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
