import MoonTerminal
import Testing

@testable import MoonPrompt
@testable import Moonwire

/// The texts of printed errors.
struct ErrorDescriptionTests {
  /// Errors of every public type, with as many of their cases as other tests name.
  static var errors: [any Error] {
    var errors: [any Error] = others
    errors += EveryMessageTests.files.map { $0.0 as any Error }
    errors += EveryMessageTests.problems.map { problem($0.0) as any Error }
    errors += EveryMessageTests.skipped.map { problem(.skipped($0.0)) as any Error }
    errors += EveryMessageTests.refusals.map { $0.0 as any Error }
    errors += EveryMessageTests.paths.map { $0 as any Error }
    errors += EveryMessageTests.json.map { json($0) as any Error }
    errors += EveryMessageTests.reasons.map { fault($0.0) as any Error }
    errors += NavigationMessagesTests.patterns.map { $0.0 as any Error }
    errors += NavigationMessagesTests.requests.map { $0.0 as any Error }
    errors += NavigationMessagesTests.screens.map { $0.0 as any Error }
    errors += NavigationMessagesTests.restores.map { $0.0 as any Error }
    errors += NavigationMessagesTests.reasons.map { RoutingError("/x", $0.0) as any Error }
    errors += urls.map { $0 as any Error }
    return errors
  }

  private static let urls: [RouteURLError] = [
    .unknownRoute("cart"), .missingParameter("id", pattern: "/:id"),
    .wrongType("id", expected: .int, pattern: "/:id<int>"), .emptyParameter("id", pattern: "/:id"),
    .unsupportedValue("id", pattern: "/:id"), .plusInParameter("id", pattern: "/:id"),
    .ambiguousGroups(pattern: "/a(/b)"), .tooLong(pattern: "/*"),
  ]

  private static var others: [any Error] {
    [
      CardError.missing(Path([.key("body")])),
      HistoryError.unreadable(path: "/h", code: 13), HostError.noThread,
      HostError.nameTaken(.navigation), LineEditorError.notATerminal, LineEditorError.unavailable,
      LineReadError.lineTooLong(byteCountMax: 7), LineReadError.unreadable(code: 21),
      NavigationError.noWindow, NavigationProblem.refused(.emptyWindow("main")),
      NavigationProblem.malformed(.unknownType("nav/x")),
      NavigationValueError.missing(Path([.key("windows")])), OutputError.closed,
      OutputError.failed(code: 28), RouteTableBuilder.Full.routes(max: 3),
      RouteTableBuilder.Full.components(max: 3), RouteTableBuilder.Full.bytes(max: 3),
      ScreenFailure.suspended(.navigation), SystemError(code: 13),
    ]
  }

  private static func problem(_ reason: ModuleProblem.Reason) -> ModuleProblem {
    ModuleProblem(module: .navigation, place: SourcePlace(file: "m.lua", line: 3), reason: reason)
  }

  private static func json(_ reason: ParseError.Reason) -> ParseError {
    ParseError(reason: reason, offset: 4, line: 2, column: 3)
  }

  private static func fault(_ reason: Fault.Reason) -> Fault {
    Fault(
      module: "m", generation: 2, registration: Registration(.reducer, "m/add"), reason: reason)
  }

  /// Returns whether a text is Swift's description of a value without one of its own: a type's
  /// name, or a case's name in camel case or with labels.
  private static func isDump(_ text: String, of error: any Error) -> Bool {
    text.contains("\(type(of: error))")
      || text.contains(/\b[a-z]+[A-Z]\w*|\w\(\w+: |Optional\(|Swift\.|Moon[A-Z]/)
  }

  private struct Undescribed: Error { let code = 5 }
  private enum Bare: Error { case tooLong, tooHigh(max: Int) }

  @Test func `a dump is recognised`() {
    for error: any Error in [Undescribed(), Bare.tooLong, Bare.tooHigh(max: 3)] {
      #expect(Self.isDump("\(error)", of: error))
    }
  }

  @Test func `an error reads as a plain sentence`() {
    for error in Self.errors {
      let text = "\(error)"
      #expect(text.contains(" "), "\(type(of: error)): \(text)")
      #expect(!Self.isDump(text, of: error), "\(type(of: error)): \(text)")
    }
  }
}
