import ArgumentParser
import MoonPrompt
import Moonwire

/// The option that sets the rules for URLs.
struct URLOptions: ParsableArguments {
  @Option(
    name: .customLong("urls"), parsing: .singleValue,
    help: ArgumentHelp(
      """
      A rule for URLs: \(URLSetting.allCases.map { "\($0.rawValue) (\($0.meaning))" }
        .joined(separator: ", ")). May be given several times.
      """, valueName: "rule"))
  var rules: [String] = []

  func validate() throws {
    for text in rules where URLSetting(rawValue: text) == nil {
      let known = URLSetting.allCases.map(\.rawValue)
      let nearest = Spelling.nearest(to: text, in: known)
      throw ValidationError(
        "--urls '\(text)': there is no such rule"
          + (nearest.map { "; did you mean \($0)?" } ?? ": there are \(Wording.list(known))"))
    }
  }

  /// The rules in the order in which they were given.
  var settings: [URLSetting] { rules.compactMap { URLSetting(rawValue: $0) } }
}
