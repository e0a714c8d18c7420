import MoonTerminal
package import Moonwire

/// Results, errors and reports for programs: one JSON object a line.
package enum JSONRecord {
  /// The version of the format.
  package static let version: Int64 = 1

  /// Returns the line of an object, with the version added.
  package static func line(_ map: Map) -> String {
    var map = map
    map["v"] = .int(version)
    return escaped(Value.map(map).canonicalText)
  }

  /// Returns JSON text that is safe for a terminal.
  ///
  /// Everything that could control the terminal or reorder the text is escaped: DEL, the controls
  /// of Latin-1, the bidirectional controls, and the line and paragraph separators. The text still
  /// reads as the same value.
  ///
  /// - Complexity: O(length of `json`).
  package static func escaped(_ json: String) -> String {
    guard TerminalText.needsSanitizing(json) else { return json }
    var safe = ""
    for scalar in json.unicodeScalars {
      // All of them are inside strings, and none is beyond the basic multilingual plane.
      if TerminalText.needsSanitizing(scalar) {
        let digits = String(scalar.value, radix: 16)
        safe += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      } else {
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// Returns the line of an error.
  package static func line(_ error: Report) -> String {
    line(["kind": "error", "error": error.value])
  }

  static func text(_ string: String) -> Value { .string(Text(string)) }

  static func list<Element>(_ elements: [Element], _ make: (Element) -> Value) -> Value {
    .list(List(elements.map(make)))
  }

  package static func changes(_ diff: Diff) -> Value {
    list(diff.changes) { change in
      var map: Map = ["path": text(change.path.description)]
      map["before"] = change.before
      map["after"] = change.after
      return .map(map)
    }
  }

  /// Returns the errors of what followed from a line; nil if there are none.
  static func failures(_ failures: [FollowingFailure], _ faults: [Fault]) -> Value? {
    let errors = failures.map { $0.report.value } + faults.map { $0.report.value }
    return errors.isEmpty ? nil : .list(List(errors))
  }

  /// Returns the record of a module, as `:modules` and `check` list it.
  package static func module(_ module: ModuleInfo) -> Value {
    var map: Map = [
      "name": text(module.name.text), "generation": .int(Int64(module.generation)),
      "status": text("\(module.status)"), "version": .int(module.version),
      "problems": list(module.problems) { $0.report.value },
    ]
    if !module.needs.isEmpty { map["needs"] = list(module.needs) { text($0.description) } }
    map["file"] = module.file.map(text)
    map["description"] = module.description.map(text)
    if let usage = module.usage {
      map["memory"] = .int(Int64(usage.memory))
      map["memory_peak"] = .int(Int64(usage.memoryPeak))
      map["time_us"] = .int(usage.time.microseconds)
      map["calls"] = .int(Int64(usage.calls))
    }
    if module.faults > 0 {
      map["faults"] = .int(Int64(module.faults))
      map["recent_faults"] = .int(Int64(module.recentFaults))
    }
    return .map(map)
  }
}
