import MoonCards
import MoonTestSupport
import MoonValues
import Testing

/// Bodies that resemble cards.
///
/// Each is read, unless it is no list or too large. The rendering fits its width, and every
/// interaction ends.
struct CardFuzzTests {
  private static let extremes: [Value] = [
    .null, true, 0, 1, -1, .int(.max), .int(.min), 1.5, .double(.infinity), .double(-0.0), "", " ",
    "\u{1B}[31m", "\u{202E}", "a,b,c", "2024-02-30", "25:99", "//", "%zz", [], [:], [[]], [1, [2]],
    .string(Text(String(repeating: "w", count: 5000))),
    .list(List(repeatElement("x", count: 300))), ["type": "TextBlock", "text": "t"],
    ["type": "AdaptiveCard", "body": ["x"]], ["type": "Nothing"],
  ]

  /// Returns the body with some of its parts replaced, removed or repeated.
  private static func changed(_ value: Value, _ random: inout SplitMix64, _ chance: Int) -> Value {
    if random.once(in: chance) { return random.pick(extremes) }
    switch value {
    case .list(let list):
      var elements = list.map { changed($0, &random, chance) }
      if random.once(in: chance), let one = elements.last { elements.append(one) }
      return .list(List(elements))
    case .map(let map):
      var fields = map.map { ($0.key, changed($0.value, &random, chance)) }
      if random.once(in: chance), !fields.isEmpty { fields.removeLast() }
      if random.once(in: chance) {
        let key = random.pick(["id", "isVisible", "min", "max", "value", "choices", "columns"])
        fields.append((.string(Text(key)), random.pick(extremes)))
      }
      return .map(Map(fields))
    default: return value
    }
  }

  @Test func `whatever a body holds, it is a card that can be shown and used, or refused`() {
    let failure = Fuzzing("cards", cases: 1500).firstFailure(
      make: { random in
        var cards = RandomCards(seed: random.next())
        let body = Self.changed(cards.body(), &random, 4 + random.below(60))
        return Array(body.canonicalText.utf8)
      },
      check: { bytes, random in
        guard let body = try? Value(parsing: bytes) else { return "the case isn't JSON" }
        do throws(CardError) {
          return Self.problem(with: try Card(body), &random)
        } catch {
          return Self.isOfWhole(error) ? nil : "the whole card is lost: \(error)"
        }
      })
    #expect(failure == nil, "\(failure ?? "")")
  }

  /// Whether an error is that of a body that is no list, or of a limit.
  private static func isOfWhole(_ error: CardError) -> Bool {
    switch error {
    case .limitExceeded: true
    case .wrongKind(let path, expected: .list): path.components.count <= 1
    default: false
    }
  }

  private static func problem(with card: Card, _ random: inout SplitMix64) -> String? {
    for width in [.min, -1, 0, 1, 7, 80, 100_000, .max] {
      for line in card.lines(width: width) where width > 0 && line.width > width {
        return "a line of \(line.width) in \(width)"
      }
    }
    var values: [(Key, Value)] = []
    for input in card.inputs {
      let typed = Text(random.pick(RandomCards.texts + ["1", "yes", "a,b", "2024-02-29", "1e400"]))
      if let value = try? card.value(ofInput: input.id, typed: typed) {
        values.append((.string(input.id), value))
      }
      values.append((.string(input.id), random.pick(extremes)))
    }
    for control in card.controls {
      let outcome = try? card.outcome(of: control, inputs: Map(values))
      _ = try? card.outcome(of: control)
      guard case .toggleVisibility(let changes)? = outcome else { continue }
      let after = card.applying(visibility: card.visibility(after: changes))
      guard after.lines(width: 40).allSatisfy({ $0.width <= 40 }) else { return "wide afterwards" }
    }
    return nil
  }
}
