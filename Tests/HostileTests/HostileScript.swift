import Foundation

/// One script of the corpus: an attempt to escape or to exhaust the host, and the expected result.
///
/// Its first line is `-- expect: <kind>`, optionally followed by ` or <kind>` and by `, in:
/// <place>`.
///
/// In the place `service`, `base` is the URL of a server. A script there whose tasks don't end by
/// themselves says so in a line `-- rests`.
struct HostileScript: Sendable, CustomStringConvertible {
  /// The expected result.
  enum Kind: String {
    /// The call is ended for its time.
    case timeout
    /// The call is ended for its memory.
    case memory
    /// An error is reported, and the module continues.
    case error
    /// The script finds that what it looks for is missing, and sets `held`.
    case refused
    /// The script succeeds.
    case survives
  }

  /// The place where the script's text runs.
  enum Place: String {
    case reducer
    /// In the reducer, which is called twice.
    case twice
    case observer
    /// In an observer that receives a table.
    case observerOfTable = "observer-of-table"
    case onStart = "on-start"
    case middleware
    case route, handler, presenter, view, lifecycle, unmatched
    case routingOptions = "routing-options"
    /// In the `will` of a routing observer.
    case will
    /// In the `did` of a routing observer.
    case did
    case routingPresenter = "routing-presenter"
    case moduleMapper = "module-mapper"
    case navigationMapper = "navigation-mapper"
    /// In an effect.
    case effect
    /// In an effect that may use services.
    case service
    /// In a function of a connection.
    case connectedProps = "connected-props"
    case connectedActions = "connected-actions"
    /// The text is the module's file.
    case load

    /// The URL that makes the text run; nil if it isn't run by a URL.
    var url: String? {
      switch self {
      case .route, .handler, .routingOptions, .presenter, .view, .lifecycle, .will,
        .did, .routingPresenter, .connectedProps, .connectedActions:
        "/hostile"
      case .unmatched: "/nowhere"
      default: nil
      }
    }
  }

  /// The line that replaces the first one and proves that the text has run by printing.
  static let sign = "the hostile script runs"

  let name: String
  let kinds: [Kind]
  let place: Place
  let text: String

  var description: String { name }

  /// The module's file.
  var module: String {
    switch place {
    case .load: text
    case .reducer, .twice: Self.module(reducer: "\(text)")
    case .observer:
      Self.module(more: "observe = { [\"hostile.n\"] = \(function("new, old, self")) },")
    case .observerOfTable:
      Self.module(more: "observe = { hostile = \(function("new, old, self")) },")
    case .onStart: Self.module(more: "on_start = \(function("self")),")
    case .route: Self.module(more: "routes = { [\"/hostile\"] = \(screen) },")
    case .handler:
      Self.module(more: "handlers = { [\"/hostile\"] = \(function("route, slice, self")) },")
    case .unmatched: Self.module(more: "unmatched = \(function("route, slice, self")),")
    case .routingOptions:
      routed("routing_options = \(function("route, current, slice, self")),")
    case .presenter: routed("presenters = \(function("screen, route, slice, self")),")
    case .view: routed("views = { hostile = \(function("screen, slice, self")) },")
    case .lifecycle:
      routed("lifecycle = { did_appear = \(function("screen, event, slice, self")) },")
    case .will: routed("routing_observers = { will = \(function("route, slice, self")) },")
    case .did: routed("routing_observers = { did = \(function("route, screen, slice, self")) },")
    case .connectedProps: connected("props")
    case .connectedActions: connected("actions")
    case .routingPresenter:
      routed("routing_presenters = { show = \(function("screen, option, slice, self")) },")
    case .service:
      Self.module(
        more: "needs = { \(Arena.needs.map { "\"\($0)\"" }.joined(separator: ", ")) },"
          + "effects = { go = function(payload, self)\n\(Self.tools)\n\(text)\nend },")
    case .effect:
      Self.module(more: "effects = { go = \(function("payload, self")) },")
    case .moduleMapper:
      Self.module(more: "map_modules = { go = \(function("action, slice, self")) },")
    case .navigationMapper:
      Self.module(more: "map_navigation = { go = \(function("action, slice, self")) },")
    case .middleware:
      Self.module(more: "middleware = { on = \"hostile/go\", run = \(function("action")) },")
    }
  }

  /// What a script in the place `service` finds: `expect(code, f, …)` raises an error unless a call
  /// fails with one of these codes, and `hold()` says that all was refused.
  private static let tools = """
    local base = "http://localhost:\(portMark)"
    local function code_of(f, ...)
      local done, problem = pcall(f, ...)
      return done and "done" or type(problem) == "table" and rawget(problem, "code")
        or tostring(problem)
    end
    local function expect(codes, f, ...)
      local code = code_of(f, ...)
      if not (" " .. codes .. " "):find(" " .. code .. " ", 1, true) then
        error(("%s instead of %s for %s"):format(code, codes, ...), 2)
      end
    end
    local function hold() self.dispatch "go3" end
    """
  /// Stands for the port of the server.
  static let portMark = "PORT"

  /// Whether its tasks don't end by themselves.
  var rests: Bool { text.contains("\n-- rests\n") }

  private var screen: String {
    "function(route, slice, self)\ndo\n\(text)\nend\nreturn { title = \"hostile\" }\nend"
  }

  /// Returns a module with a harmless route beside the hostile text.
  private func routed(_ more: String) -> String {
    Self.module(
      more: "routes = { [\"/hostile\"] = function() return { title = \"h\" } end },\n\(more)")
  }

  private func connected(_ key: String) -> String {
    routed(
      "connect = { from = { 'hostile', gone = 'nobody.at.all' },"
        + " \(key) = \(function("from, screen")) },")
  }

  private func function(_ parameters: String) -> String { "function(\(parameters))\n\(text)\nend" }

  private static func module(
    reducer: String = "state.n = state.n + 1", more: String = ""
  ) -> String {
    """
    local moon = require "moonwire"
    return moon.module {
      state = { n = 0, t = {}, list = moon.list(), held = false },
      reducers = {
        go = function(state, payload)
    \(reducer)
        end,
        go2 = function(state) state.n = state.n + 1 end,
        go3 = function(state) state.held = true end,
      },
      \(more)
    }
    """
  }

  /// The whole corpus, sorted by name.
  ///
  /// A file with a malformed first line is left out.
  static let all: [HostileScript] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "scripts")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { file in
      guard let text = try? String(contentsOf: folder.appending(path: file), encoding: .utf8),
        let head = text.split(separator: "\n").first, head.hasPrefix("-- expect: ")
      else { return nil }
      let parts = head.dropFirst(11).split(separator: ", in: ")
      let words = parts[0].split(separator: " or ")
      let kinds = words.compactMap { Kind(rawValue: String($0)) }
      guard !kinds.isEmpty, kinds.count == words.count,
        let place = parts.count > 1 ? Place(rawValue: String(parts[1])) : .reducer
      else { return nil }
      return HostileScript(
        name: String(file.dropLast(4)), kinds: kinds, place: place,
        text: "print('\(sign)');" + text.dropFirst(head.count))
    }
  }()

  /// The scripts that a run of the tests tries: of each place, every third.
  ///
  /// `scripts/fuzz/run corpus` tries all, by `MOON_CORPUS=whole`.
  static let tried: [HostileScript] = {
    if ProcessInfo.processInfo.environment["MOON_CORPUS"] == "whole" { return all }
    return Dictionary(grouping: all, by: \.place).values.flatMap { scripts in
      scripts.enumerated().filter { $0.offset.isMultiple(of: 3) }.map(\.element)
    }.sorted { $0.name < $1.name }
  }()

  /// The number of files.
  static var fileCount: Int {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "scripts")
    return (try? FileManager.default.contentsOfDirectory(atPath: folder.path).count) ?? 0
  }

  /// The libraries that the scripts can require.
  var libraries: [String: String] {
    guard text.contains("require") else { return [:] }
    var files = [
      "lib/selfish.lua": "return require 'selfish'", "lib/ping.lua": "return require 'pong'",
      "lib/pong.lua": "return require 'ping'", "lib/broken.lua": "error('broken')",
    ]
    for number in 1...300 {
      files["lib/deep\(number).lua"] = "return require('deep\(number + 1)')"
    }
    return files
  }
}
