package import MoonPrompt

/// What the page Problems of the reference says about each code.
package struct CodeExplanations {
  private let sections: [String: String]

  /// Reads the page, which has a section for each code, whose heading is the code.
  package init(_ page: String) {
    var sections: [String: String] = [:]
    var code: String?
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("#") {
        let name = String(line.drop { $0 == "#" || $0 == " " })
        code = line.hasPrefix("### ") ? name : nil
        if let code { sections[code] = code }
      } else if let code {
        sections[code, default: ""] += "\n\(line)"
      }
    }
    self.sections = sections.mapValues { text in
      String(text.reversed().drop { $0 == "\n" }.reversed())
    }
  }

  /// The codes that have sections.
  package var codes: Set<String> { Set(sections.keys) }

  /// The explanation of a code; nil if the page has none.
  package subscript(code: CheckCode) -> String? { sections[code.rawValue] }
}
