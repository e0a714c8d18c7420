import MoonActions
import MoonLua
import MoonModules
import MoonValues

extension KeyReader {
  /// Reads `windows = { main = { in_tab = "owner", over_modal = "dismiss" } }`.
  static let windows = KeyReader("windows") { reader, form, module in
    for (name, fields) in reader.form.entries(form, key: "windows", of: "a table of windows") {
      module.windowSettings.append(reader.windowSetting(of: name, fields))
    }
  }
}

extension ModuleReader {
  fileprivate mutating func windowSetting(of window: String, _ form: Form) -> WindowSetting {
    let key = "windows.\(window)"
    let fields = self.form.fields(of: form, key: key, known: ["in_tab", "over_modal"])
    return WindowSetting(
      Text(window), inTab: word(fields["in_tab"], key: "\(key).in_tab"),
      overModal: word(fields["over_modal"], key: "\(key).over_modal"),
      place: SourcePlace(file: self.form.file, line: self.form.line(of: key)))
  }

  /// Reads a word of an enumeration.
  private mutating func word<Word: RawRepresentable<String> & CaseIterable>(
    _ form: Form?, key: String
  ) -> Word? {
    guard let text = self.form.string(form, key: key) else { return nil }
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map { "\"\($0.rawValue)\"" }
    self.form.note(
      .wrongKind(key: key, expected: Wording.list(known, "or"), found: "'\(text)'"), key: key)
    return nil
  }
}
