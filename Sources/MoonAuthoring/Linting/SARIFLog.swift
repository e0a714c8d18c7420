import MoonPrompt
import Moonwire

/// Findings in the Static Analysis Results Interchange Format, version 2.1.0.
package struct SARIFLog {
  private let findings: [Finding]
  private let directory: String
  private let version: String

  /// Makes the log of findings in a directory, by a version of the program.
  package init(_ findings: [Finding], in directory: String, version: String) {
    (self.findings, self.directory, self.version) = (findings, directory, version)
  }

  /// The log as JSON in one line.
  package var text: String { value.canonicalText }

  private var value: Value {
    [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": .list([
        [
          "tool": [
            "driver": [
              "name": "moonwire", "semanticVersion": .string(Text(version)),
              "rules": .list(List(codes.map(rule))),
            ]
          ],
          "columnKind": "unicodeCodePoints",
          "originalUriBaseIds": [
            "SCRIPTS": ["uri": .string(Text("file://\(Self.encoded(directory))/"))]
          ],
          "results": .list(List(findings.map(result))),
        ]
      ]),
    ]
  }

  /// The codes of the findings, in the order of the enumeration.
  private var codes: [CheckCode] {
    let found = Set(findings.map(\.code))
    return CheckCode.allCases.filter(found.contains)
  }

  private func rule(_ code: CheckCode) -> Value {
    [
      "id": .string(Text(code.rawValue)),
      "defaultConfiguration": ["level": .string(Text(code.severity.rawValue))],
      "help": ["text": .string(Text("moonwire explain \(code.rawValue)"))],
    ]
  }

  private func result(_ finding: Finding) -> Value {
    var result: Map = [
      "ruleId": .string(Text(finding.code.rawValue)),
      "level": .string(Text(finding.code.severity.rawValue)),
      "message": ["text": .string(Text(finding.text))],
    ]
    if let place = finding.place {
      var location: Map = [
        "artifactLocation": [
          "uri": .string(Text(Self.encoded(place.file))), "uriBaseId": "SCRIPTS",
        ]
      ]
      if place.line > 0 {
        var region: Map = ["startLine": .int(Int64(place.line))]
        region["startColumn"] = finding.column.map { .int(Int64($0)) }
        location["region"] = .map(region)
      }
      result["locations"] = .list([["physicalLocation": .map(location)]])
    }
    return .map(result)
  }

  /// Returns a path with the bytes that a URI can't have as `%20`.
  private static func encoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let isPlain =
        (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
        || "/-._~".utf8.contains(byte)
      if isPlain {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
  }
}
