import Moonwire
import Testing

extension RoutingConformanceTests.Case {
  /// Routes the URLs and compares what is printed.
  func run() async throws {
    let notes = Notes()
    var files = ["m.lua": "return {\n\(module)\n}"]
    if !other.isEmpty { files["n.lua"] = "return {\n\(other)\n}" }
    let bench = try await Bench.noting(notes, files)
    for url in urls {
      let before = await bench.canonicalState()
      do throws(DispatchError) {
        try await bench.host.route(url, passing: passing, in: bench.session)
      } catch {
        guard case .routing(let routing) = error else { throw error }
        let reason = routing.summary.split(separator: " | ").last ?? ""
        notes.add("\(routing.url): \(reason)")
        #expect(await bench.canonicalState() == before)
      }
    }
    #expect(notes.all == self.notes)
  }
}

extension StoreConformanceTests.Case {
  /// Dispatches the actions and compares what is printed.
  func run() async throws {
    let notes = Notes()
    let files = Dictionary(
      uniqueKeysWithValues: modules.map { name, body in
        ("\(name).lua", "local moon, kept = require 'moonwire'\nreturn {\n\(body)\n}")
      })
    let bench = try await Bench.noting(notes, files)
    for (type, to) in actions {
      do throws(DispatchError) {
        let payload: Value = to == .null ? nil : ["to": to]
        try await bench.host.dispatch(Action(Text(type), payload), to: bench.session)
      } catch {
        let reason = if case .fault(let fault) = error { fault.detail } else { error.headline }
        notes.add("\(type): \(reason ?? "")")
      }
    }
    #expect(notes.all == self.notes)
  }
}
