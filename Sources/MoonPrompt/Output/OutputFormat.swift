/// The format of results.
package enum OutputFormat: Sendable {
  /// Text for people.
  case text
  /// One JSON object on each line, for programs.
  case json
}
