package import MoonModules
package import MoonValues

/// The form of notes in a journal: the fields `dropped`, `inputs`, `later` and `made` of a commit,
/// which are missing if they are false or empty.
extension CommitNotes {
  /// Puts the fields into a map.
  package func write(into map: inout Map) {
    if isDropped { map["dropped"] = true }
    if inputs.contains(where: { !$0.isEmpty }) {
      map["inputs"] = .list(List(inputs.map { .map($0) }))
    }
    if queuesReplacement { map["later"] = true }
    if !made.isEmpty { map["made"] = .list(List(made.map { .int($0) })) }
  }

  /// Reads the fields of a map; nil if they don't have that form.
  package init?(reading value: Value) {
    self.init()
    isDropped = value["dropped"] == true
    queuesReplacement = value["later"] == true
    for element in value["inputs"]?.listValue ?? List() {
      guard let inputs = element.mapValue else { return nil }
      self.inputs.append(inputs)
    }
    for element in value["made"]?.listValue ?? List() {
      guard let id = element.intValue, JournalRecord.numbers.contains(id) else { return nil }
      made.append(id)
    }
  }

  /// Appends the fields to the text of a commit, whose keys are in order.
  func write(into text: inout TextBytes) {
    guard !isEmpty else { return }
    var map = Map()
    write(into: &map)
    if isDropped { text.append(",\"dropped\":true") }
    let fields: [(key: Key, text: StaticString)] = [
      ("inputs", ",\"inputs\":"), ("later", ",\"later\":"), ("made", ",\"made\":"),
    ]
    for field in fields {
      guard let value = map[field.key] else { continue }
      text.append(field.text)
      value.writeCanonical(into: &text)
    }
  }
}
