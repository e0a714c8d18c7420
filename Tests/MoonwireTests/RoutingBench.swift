import Logging
import Moonwire
import Testing

/// Additions to a bench for tests of routing.
extension Bench {
  /// Makes a bench that notes what modules print.
  static func noting(
    _ notes: Notes, _ files: [String: String] = [:],
    adding modules: [@Sendable () throws -> Module] = []
  ) async throws -> Bench {
    var options = Bench.quiet
    options.logger = Logger(label: "test") { _ in NotingHandler(notes: notes, form: .message) }
    return try await Bench(files, options: options, adding: modules)
  }

  @discardableResult
  func route(
    _ url: Text, _ parameters: Map = Map(), _ option: RoutingOption? = nil
  ) async throws -> Outcome {
    try await host.route(url, passing: parameters, option: option, in: session)
  }

  /// Returns the error of a routing, which must leave the state unchanged; a test failure if it
  /// succeeds.
  func routingError(
    of url: Text, _ parameters: Map = Map(), _ option: RoutingOption? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async -> RoutingError? {
    let before = await canonicalState()
    do throws(DispatchError) {
      try await host.route(url, passing: parameters, option: option, in: session)
      Issue.record("routing \(url) didn't fail", sourceLocation: sourceLocation)
      return nil
    } catch {
      #expect(await canonicalState() == before, sourceLocation: sourceLocation)
      guard case .routing(let error) = error else {
        Issue.record("\(error.summary)", sourceLocation: sourceLocation)
        return nil
      }
      return error
    }
  }

  /// Returns the bytes of the whole state.
  func canonicalState() async -> String {
    await host.state(of: session)?.canonicalText ?? "no session"
  }

  /// Returns the navigation as people see it.
  func drawing() async -> [String] {
    await host.navigationTree(of: session)?.drawing ?? []
  }

  func screens() async -> [Screen] { await host.navigationTree(of: session)?.screens ?? [] }

  func topScreen() async -> Screen? { await host.navigationTree(of: session)?.topScreen }

  /// Returns the titles of all screens.
  func titles() async -> [String] { await screens().map(\.title.string) }
}

extension RoutingError {
  /// The reason, pattern, module and place, as far as they are known.
  var summary: String {
    let reason =
      switch reason {
      case .fault(let fault): "fault \(fault.summary)"
      case .vetoed(let module, let place, let reason):
        "vetoed by \(module) at \(place.map { "\($0)" } ?? "-"): \(reason ?? "-")"
      case .redirectLoop(let urls): "loop \(urls)"
      case .tooManyRedirects(let urls, let max): "more than \(max) redirects \(urls)"
      case .declined(let patterns): "declined \(patterns)"
      case .suspended(let module): "only the suspended \(module)"
      case .noRoute(let nearest): "no route, nearest \(nearest ?? "-")"
      case .wrongParameter(let pattern, let verdict): "not by \(pattern): \(verdict)"
      case .noPresenter(let option, let nearest):
        "no presenter for \(option), nearest \(nearest ?? "-")"
      case .navigation(let problem): "\(problem)"
      case .refused(let refusal): "refused: \(refusal.reason)"
      case .waiting, .unanswered, .replaced, .notPresented, .covered: "\(reason)"
      case .option, .parent, .parentLoop, .tooManyParents: "\(reason)"
      case .handlersOnly(let patterns): "handlers only \(patterns)"
      case .malformed(let error): "\(error)"
      }
    return "\(url) | \(pattern ?? "-") | \(module?.text ?? "-") | "
      + "\(place.map { "\($0)" } ?? "-") | \(reason)"
  }
}

extension Module {
  /// Returns a module with one route to screens whose title is the name.
  static func routing(_ name: String, _ pattern: Text, priority: Int = 0) throws -> Module {
    let pattern = try RoutePattern(parsing: pattern)
    return try Module(name) { module in
      module.routes = [
        Route(pattern, priority: priority) { _, _ in
          var screen = Screen(id: "")
          screen.title = Text(name)
          return screen
        }
      ]
    }
  }
}
