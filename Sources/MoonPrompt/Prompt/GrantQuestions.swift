import MoonTerminal
package import Moonwire
import Synchronization

/// The questions to a person about what modules request, each asked once until the module is loaded
/// again.
package final class GrantQuestions: Sendable {
  private let host: Host
  package let kept: KeptGrants
  private let asked = Mutex<Set<Grants.Rule>>([])

  /// The answers to a question.
  private enum Answer {
    case yes, no, always
    case oneByOne
    /// The person wants something else; nil at the end of input.
    case none(String?)
  }

  package init(_ host: Host, _ kept: KeptGrants) {
    self.host = host
    self.kept = kept
  }

  /// Lets questions about a module be asked again, since its files were loaded again.
  package func forget(_ module: ModuleName) {
    asked.withLock { $0 = $0.filter { $0.module != module } }
  }

  private func forget(_ requests: [ModuleGrant]) {
    asked.withLock { $0.subtract(requests.map(\.rule)) }
  }

  /// Asks about every missing grant, after a list of them if there are several, and loads the
  /// modules again that weren't loaded for lack of them.
  ///
  /// `answer` shows a question and returns what was typed; nil if nobody answers any more. What is
  /// no answer ends the questions; it is returned, to be carried out.
  package func ask(
    _ output: TerminalOutput, _ answer: (_ question: String) async -> String?
  ) async -> String? {
    do throws(GrantsFileError) {
      if try await kept.update(host) { asked.withLock { $0 = [] } }
    } catch {
      output.printNotice(error.report(at: kept.path ?? ""))
    }
    // A module that is loaded at last may ask for more.
    while true {
      let (hasGranted, line) = await askOnce(output, answer)
      guard hasGranted, line == nil else { return line }
    }
  }

  /// Asks about what is missing now; returns whether something was granted, and what was no answer.
  private func askOnce(
    _ output: TerminalOutput, _ answer: (_ question: String) async -> String?
  ) async -> (hasGranted: Bool, line: String?) {
    let requests = await requests()
    guard !requests.isEmpty else { return (false, nil) }
    var granted: [Grants.Rule] = []
    var line: String?
    func take(_ requests: [ModuleGrant], _ given: Answer) -> Bool {
      switch given {
      case .yes: granted += requests.map(\.rule)
      case .always:
        granted += requests.map(\.rule)
        for request in requests { keep(request.rule, output) }
      case .no, .oneByOne: break
      case .none(let text):
        line = text
        // Whoever comes next may answer in the place of a person who has left.
        if Task.isCancelled { forget(requests) }
        return false
      }
      return true
    }
    var given = Answer.oneByOne
    if requests.count > 1 {
      output.printNotice("the app asks for what isn't granted yet:")
      for (index, request) in requests.enumerated() {
        output.printNotice("  \(index + 1)  \(Self.text(request))")
      }
      given = Self.answer(
        await answer("Grant all? [y/n/always, or o for one by one] "), canChoose: true)
      if !take(requests, given) { return (false, line) }
    }
    if case .oneByOne = given {
      for request in requests {
        // Its module may have been saved meanwhile.
        if requests.count > 1 { guard await isOpen(request) else { continue } }
        let prompt = "\(Self.text(request)). Grant it? [y/n/always] "
        if !take([request], Self.answer(await answer(prompt), canChoose: false)) { break }
      }
    }
    let rules = granted
    if !rules.isEmpty { await host.allow(rules) }
    return (!rules.isEmpty, line)
  }

  /// `m.lua:2: module m needs storage to keep your notes`.
  private static func text(_ request: ModuleGrant) -> String {
    let place = request.place.map { "\($0): " } ?? ""
    let link = request.destination.map { ", which leads to \($0)," } ?? ""
    return TerminalText.exposed(
      "\(place)module \(request.module?.text ?? "") "
        + "\(request.isOptional ? "can use" : "needs") \(request.scope)\(link)\(request.purpose)")
  }

  private static func answer(_ text: String?, canChoose: Bool) -> Answer {
    guard let text else { return .none(nil) }
    switch text.trimmingSpace.lowercased() {
    case "y", "yes": return .yes
    case "a", "always": return .always
    case "n", "no", "": return .no
    case "o", "one by one": return canChoose ? .oneByOne : .none(text)
    default: return .none(text)
    }
  }

  private func keep(_ rule: Grants.Rule, _ output: TerminalOutput) {
    guard let path = kept.path else {
      return output.printNotice(
        Report(.warning, "there is no place for grants: it counts for this run"))
    }
    do throws(GrantsFileError) {
      try kept.add(rule)
    } catch {
      output.printNotice(error.report(at: path))
    }
  }

  private func isOpen(_ request: ModuleGrant) async -> Bool {
    await ModuleGrant.all(of: request.module, on: host).contains {
      $0.rule == request.rule && $0.isOpen
    }
  }

  /// Returns the requests that haven't been asked about, and marks them.
  private func requests() async -> [ModuleGrant] {
    let open = await ModuleGrant.all(on: host).filter(\.isOpen)
    return asked.withLock { asked in open.filter { asked.insert($0.rule).inserted } }
  }
}

extension String {
  /// The text without white space at its ends.
  package var trimmingSpace: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
