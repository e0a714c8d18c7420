package import Moonwire

/// The changes of a value as a JSON Patch (RFC 6902), whose paths are JSON Pointers.
package enum StatePatch {
  /// Returns the operations that turn one value into another, in their order; nil stands for no
  /// value.
  package static func operations(from old: Value?, to new: Value?) -> [Value] {
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

extension StatePatch {
  /// Returns a value changed by operations; nil if they don't fit it.
  package static func value(_ old: Value?, changedBy operations: List) -> Value?? {
    var value = old
    for operation in operations {
      guard let pointer = operation["path"]?.stringValue else { return nil }
      let tokens = pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        .map { String($0.replacing("~1", with: "/").replacing("~0", with: "~")) }
      let isRemoval = operation["op"] == "remove"
      let isAddition = operation["op"] == "add"
      let new = isRemoval ? nil : operation["value"]
      guard tokens.first != nil else {
        value = new
        continue
      }
      guard
        let changed = value.flatMap({ changed($0, tokens[...], to: new, adding: isAddition) })
      else { return nil }
      value = changed
    }
    return .some(value)
  }

  private static func changed(
    _ value: Value, _ tokens: ArraySlice<String>, to new: Value?, adding: Bool
  ) -> Value? {
    guard let token = tokens.first else { return new }
    let rest = tokens.dropFirst()
    switch value {
    case .list(var list):
      let position = token == "-" ? list.count : Int(token) ?? -1
      guard position >= 0, position < list.count + (adding && rest.isEmpty ? 1 : 0) else {
        return nil
      }
      if !rest.isEmpty {
        guard let inner = changed(list[position], rest, to: new, adding: adding) else { return nil }
        list[position] = inner
      } else if let new, adding {
        list.insert(new, at: position)
      } else if let new {
        list[position] = new
      } else {
        list.remove(at: position)
      }
      return .list(list)
    case .map(var map):
      let key = key(token)
      if rest.isEmpty {
        map[key] = new
      } else {
        guard let inner = map[key].flatMap({ changed($0, rest, to: new, adding: adding) }) else {
          return nil
        }
        map[key] = inner
      }
      return .map(map)
    // Scripts write an empty list and an empty map the same way.
    default: return nil
    }
  }

  /// The key that a token stands for; an integer key is in brackets.
  private static func key(_ token: String) -> Key {
    guard token.hasPrefix("["), token.hasSuffix("]"),
      let number = Int64(token.dropFirst().dropLast())
    else { return .string(Text(token)) }
    return .int(number)
  }
}
