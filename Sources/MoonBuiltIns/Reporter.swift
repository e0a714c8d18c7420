import MoonJournal
import Moonwire

extension BuiltIn {
  /// `reporter`: after a crash, shows the recordings that led to it.
  public static let reporter = reporter { _ in }

  /// Makes the module `reporter`, which after a crash also passes the paths of the recordings that
  /// led to it to a function; the last path is that of the session that crashed.
  ///
  /// On `crash/did` of ``crashDetector``, it collects as many as `count` in its slice says,
  /// initially 1. `reporter/collect` collects recordings at any time: the `last` so many, or else
  /// all. Recordings that can't be read are left out, as is that of the present session.
  public static func reporter(
    to receive: @escaping @Sendable (_ paths: [String]) -> Void
  ) -> BuiltIn {
    BuiltIn("reporter", "Shows the recordings that lead to a crash") { module, surroundings in
      module.state = ["count": 1, "files": .list(List())]
      module.actions = [
        ActionDeclaration(
          "collect", description: "Collects the last recordings, or all",
          schema: PayloadSchema(
            fields: [PayloadSchema.Field(name: "last", type: "integer?")].compactMap(\.self))),
        ActionDeclaration(
          "keep_last", description: "Sets how many a crash collects",
          schema: PayloadSchema(
            fields: [PayloadSchema.Field(name: "count", type: "integer")].compactMap(\.self))),
        ActionDeclaration("found", description: "Says which recordings were collected"),
      ]
      module.reducers = [
        Reducer(.exact("reporter/keep_last")) { slice, action in
          let count = action.payload["count"]?.intValue ?? 1
          guard count >= 0 else { throw ReporterError.negativeCount("count", count) }
          slice = slice.setting("count", .int(count))
        },
        Reducer(.exact("reporter/found")) { slice, action in
          slice = slice.setting("files", action.payload["files"] ?? .list(List()))
        },
      ]
      @Sendable func report(_ last: Int64?, _ context: EffectContext) async throws {
        if let last, last < 0 { throw ReporterError.negativeCount("last", last) }
        let current = try await context.state["recorder"]?["number"]?.intValue
        let paths = surroundings.readable(before: current, last: last)
        if !paths.isEmpty {
          surroundings.show("reporter: recorded in \(paths.joined(separator: ", "))")
        }
        receive(paths)
        let files = Value.list(List(paths.map { .string(Text($0)) }))
        try await context.dispatch(Action("reporter/found", ["files": files]))
      }
      module.effects = [
        Effect(.exact("crash/did")) { _, context in
          try await report(context.slice["count"]?.intValue ?? 1, context)
        },
        Effect(.exact("reporter/collect")) { action, context in
          try await report(action.payload["last"]?.intValue, context)
        },
      ]
    }
  }
}

enum ReporterError: Error, CustomStringConvertible {
  case negativeCount(String, Int64)

  /// One sentence.
  var description: String {
    switch self {
    case .negativeCount(let field, let count): "\(field) must be 0 or more, not \(count)"
    }
  }
}

extension BuiltIn.Surroundings {
  /// Returns the paths of the recordings before the present session's that can be read: the last
  /// so many, or all.
  fileprivate func readable(before current: Int64?, last: Int64?) -> [String] {
    guard let folder = recordings, last ?? 1 > 0 else { return [] }
    let numbers = folder.numbers.filter { $0 < Int(clamping: current ?? .max) }
    let wanted = last.map { numbers.suffix(Int(clamping: $0)) } ?? numbers[...]
    return wanted.map(folder.path).filter { (try? RecordedRun($0)) != nil }
  }
}

extension Value {
  /// Returns the map with a field set to another value.
  func setting(_ key: Key, _ value: Value) -> Value {
    var map = mapValue ?? Map()
    map[key] = value
    return .map(map)
  }
}
