import MoonActions
import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `windows = { main = { in_tab = "owner", over_modal = "dismiss" } }`.
  static let windows = KeyReader("windows") { reader, form, module in
    for (name, fields) in reader.form.entries(form, key: "windows", of: "a table of windows") {
      module.windowSettings.append(WindowSetting(of: name, reading: fields, &reader.form))
    }
  }
}

extension WindowSetting {
  fileprivate init(of window: String, reading form: Form, _ reader: inout FormReader) {
    let key = "windows.\(window)"
    let fields = reader.fields(of: form, key: key, known: ["in_tab", "over_modal"])
    self.init(
      Text(window), inTab: Self.word(fields["in_tab"], key: "\(key).in_tab", &reader),
      overModal: Self.word(fields["over_modal"], key: "\(key).over_modal", &reader),
      place: SourcePlace(file: reader.file, line: reader.line(of: key)))
  }

  /// Reads a word of an enumeration.
  private static func word<Word: RawRepresentable<String> & CaseIterable>(
    _ form: Form?, key: String, _ reader: inout FormReader
  ) -> Word? {
    guard let text = reader.string(form, key: key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map { "\"\($0.rawValue)\"" }
    reader.note(
      .wrongKind(key: key, expected: Wording.list(known, "or"), found: "'\(text)'"), key: key)
    return nil
  }
}
