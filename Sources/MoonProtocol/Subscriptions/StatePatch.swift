import Moonwire

/// The changes of a value as a JSON Patch (RFC 6902), whose paths are JSON Pointers.
enum StatePatch {
  /// Returns the operations that turn one value into another, in their order; nil stands for no
  /// value.
  static func operations(from old: Value?, to new: Value?) -> [Value] {
    guard let old, let new else {
      guard let new else { return old == nil ? [] : [["op": "remove", "path": ""]] }
      return [["op": "add", "path": "", "value": new]]
    }
    let diff = Diff.changes(from: old, to: new)
    if diff.isTruncated { return [["op": "replace", "path": "", "value": new]] }
    // The removals of a list have the places that its values had before, so the last goes first.
    let kept = diff.changes.filter { $0.after != nil }.map { change -> Value in
      [
        "op": change.before == nil ? "add" : "replace",
        "path": .string(Text(pointer(to: change.path, in: new))),
        "value": change.after ?? .null,
      ]
    }
    let gone = diff.changes.filter { $0.after == nil }.reversed().map { change -> Value in
      ["op": "remove", "path": .string(Text(pointer(to: change.path, in: old)))]
    }
    return kept + gone
  }

  /// The JSON Pointer of a path into a value, as its JSON has it.
  static func pointer(to path: Path, in root: Value) -> String {
    var place = Path()
    var pointer = ""
    for component in path.components {
      let isInList = root.value(at: place)?.listValue != nil
      pointer += "/" + (isInList ? position(component) : token(component))
      place = place.appending(component)
    }
    return pointer
  }

  private static func position(_ component: Path.Component) -> String {
    if case .index(let index) = component { String(index - 1) } else { "" }
  }

  /// The key in JSON, where an integer key is in brackets, escaped.
  private static func token(_ component: Path.Component) -> String {
    let json = Value.map(Map([(component.mapKey, .null)])).canonicalText
    // `{"key":null}`
    let quoted = String(json.dropFirst().dropLast(6))
    let key = (try? Value(parsing: quoted))?.stringValue ?? ""
    return key.replacing("~", with: "~0").replacing("/", with: "~1")
  }
}
