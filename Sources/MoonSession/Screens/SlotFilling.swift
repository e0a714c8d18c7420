import MoonCards
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

/// The step that fills the slots of a screen's body with other modules' extensions.
///
/// An extension that fails leaves a note in its place. It never affects the view or another
/// extension.
struct SlotFilling {
  /// The maximum number of calls of extensions for one screen.
  static let callCountMax = 1_000

  /// One slot of a body.
  private struct Slot {
    let name: Text
    let data: Value
  }

  /// One extension's elements for a slot; slots are numbered from 0 in reading order.
  private struct Part {
    let slot: Int
    let bound: Bound<ViewExtension>
    let value: Value
    /// The ids that its own elements have twice.
    var takenIDCount = 0
  }

  let session: Session
  let screen: Screen
  /// The screen's extensions by slot, in the order in which they are shown.
  let extensions: [Text: [Bound<ViewExtension>]]

  /// Reads the card of a body with all slots filled.
  ///
  /// - Throws: ``CardError`` if the body itself is wrong.
  func card(
    of body: Value, reading read: (Value) throws(CardError) -> Card
  ) throws(CardError) -> Card {
    guard !extensions.isEmpty else { return try read(body) }
    let parts = parts(for: Self.slots(in: body))
    if let card = try? read(filled(body, parts)), card.takenIDs.isEmpty { return card }
    // The parts of some extension don't fit, for instance because an id is taken. Adding one
    // extension after another reads the card once for each, and not once for each slot.
    var card = try read(body)
    if parts.isEmpty { return card }
    var refused = Set(parts.map(\.bound.order))
    for bound in Self.distinct(parts) {
      refused.remove(bound.order)
      do throws(CardError) {
        let longer = try read(filled(body, parts.filter { !refused.contains($0.bound.order) }))
        let own = parts.filter { $0.bound.order == bound.order }.reduce(0) { $0 + $1.takenIDCount }
        if longer.takenIDs.count > card.takenIDs.count + own, let clash = longer.takenIDs.last {
          throw clash
        }
        card = longer
      } catch {
        refused.insert(bound.order)
        note("its elements don't fit the rest of the screen: \(error)", bound)
      }
    }
    return card
  }

  /// Returns the extensions that have parts, in the order of their first parts.
  private static func distinct(_ parts: [Part]) -> [Bound<ViewExtension>] {
    var seen: Set<Int> = []
    return parts.map(\.bound).filter { seen.insert($0.order).inserted }
  }

  // MARK: Asking

  private func parts(for slots: [Slot]) -> [Part] {
    var parts: [Part] = []
    for (index, slot) in slots.enumerated() {
      for bound in extensions[slot.name] ?? [] where parts.count < Self.callCountMax {
        parts.append(part(of: bound, in: slot, numbered: index))
      }
    }
    return parts
  }

  /// Calls an extension for a slot, and puts its elements in a container.
  private func part(
    of bound: Bound<ViewExtension>, in slot: Slot, numbered index: Int
  ) -> Part {
    let missing = Part(slot: index, bound: bound, value: Self.missing(bound))
    let answer: Value
    do throws(Fault) {
      answer = try session.caller.call(bound) { try bound.part.body(screen, slot.data, $0) }
    } catch {
      report(error, of: bound)
      return missing
    }
    let qualified = Self.qualified(answer, owner: bound.owner)
    do throws(CardError) {
      let card = try Card(qualified, at: Path([.key("body")]))
      session.screens.extensionFaults.forget(bound)
      return Part(
        slot: index, bound: bound, value: Self.container(qualified),
        takenIDCount: card.takenIDs.count)
    } catch {
      note("what it returns isn't a list of elements: \(error)", bound)
      return missing
    }
  }

  private func note(_ sentence: String, _ bound: Bound<ViewExtension>) {
    let failure = CodeFailure(.raised(sentence), place: bound.registration.place)
    report(session.caller.fault(failure, bound, nil), of: bound)
  }

  /// Reports a fault unless the previous drawing had the same.
  private func report(_ fault: Fault, of bound: Bound<ViewExtension>) {
    guard session.screens.extensionFaults.note(fault, of: bound) else { return }
    session.environment.report(.fault(session.id, fault))
  }

  private static func missing(_ bound: Bound<ViewExtension>) -> Value {
    let note = "(what module \(bound.owner) adds here can't be shown)"
    return container([
      [
        "type": "TextBlock", "text": .string(Text(note)),
        "color": "warning", "wrap": true,
      ]
    ])
  }

  private static func container(_ items: Value) -> Value {
    switch items {
    case .map(let map) where map["type"] != nil: ["type": "Container", "items": [items]]
    case .string: ["type": "Container", "items": [items]]
    default: ["type": "Container", "items": items]
    }
  }

  /// Returns the elements with the owner's name added to verbs that have no module, and with the
  /// owner as the maker of their actions and inputs.
  private static func qualified(_ value: Value, owner: ModuleName) -> Value {
    switch value {
    case .list(let list): return .list(List(list.map { qualified($0, owner: owner) }))
    case .map(var map):
      let type = map["type"]?.textValue
      if type?.hasPrefix("Action.") ?? false || type?.hasPrefix("Input.") ?? false {
        map["maker"] = .string(Text(owner.text))
      }
      for (key, entry) in map {
        if key == "verb", let verb = entry.stringValue {
          if !verb.contains("/") { map[key] = .string(Text("\(owner)/\(verb)")) }
        } else if key != "data" {
          map[key] = qualified(entry, owner: owner)
        }
      }
      return .map(map)
    default: return value
    }
  }

  // MARK: Slots

  private static func slots(in body: Value) -> [Slot] {
    switch body {
    case .list(let list): return list.flatMap(slots)
    case .map(let map):
      if map["type"] == "Slot", let name = map["name"]?.textValue {
        return [Slot(name: name, data: map["data"] ?? .null)]
      }
      return map.filter { $0.key != "data" }.flatMap { slots(in: $0.value) }
    default: return []
    }
  }

  private func filled(_ body: Value, _ parts: [Part]) -> Value {
    var count = 0
    let bySlot = Dictionary(grouping: parts, by: \.slot).mapValues { $0.map(\.value) }
    return filled(body, bySlot, &count)
  }

  /// Visits the slots in the same order as ``slots(in:)``.
  private func filled(_ body: Value, _ parts: [Int: [Value]], _ count: inout Int) -> Value {
    switch body {
    case .list(let list):
      return .list(List(list.map { filled($0, parts, &count) }))
    case .map(var map):
      if map["type"] == "Slot", map["name"]?.textValue != nil {
        if let items = parts[count] { map["items"] = .list(List(items)) }
        count += 1
        return .map(map)
      }
      for (key, entry) in map where key != "data" {
        map[key] = filled(entry, parts, &count)
      }
      return .map(map)
    default: return body
    }
  }
}

extension Card {
  /// The errors of ids that several parts have.
  fileprivate var takenIDs: [CardError] {
    warnings.compactMap {
      if case .leftOut(let error) = $0, case .duplicateID = error { error } else { nil }
    }
  }
}
