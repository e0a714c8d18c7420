import MoonTestSupport
import MoonValues

/// Random bodies that are valid cards, full of texts that often cause problems.
struct RandomCards {
  static let texts = [
    "", " ", "   leading", "trailing   ", "Hello", "two words", "a longer text of several words",
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze", "日本語のテキストです", "混ぜた text 和 more",
    "👩‍👩‍👧 family", "☑️ done", "e\u{301}\u{301}\u{301}", "\u{301}starts with a mark", "🇩🇪🇫🇷",
    "\u{1B}[31mred\u{1B}[0m", "\u{1B}]0;title\u{7}", "a\tb\tc", "one\ntwo\n\nthree\n",
    "a\r\nb\rc", "\u{202E}reversed", "\u{2028}\u{2029}", "\u{0}\u{7F}\u{9B}2J", "\u{FE0F}\u{200D}",
    "**bold** _it_ [l](https://x)", "{{DATE(2026-01-31T09:30:00Z, LONG)}}", "- *one\n- two**",
    "한국어 텍스트", "ᄀ\u{1161}\u{11A8}", "x\u{A0}y", "[1] no action", "…", "1\u{FE0F}\u{20E3}",
  ]

  var random: SplitMix64
  private var idCount = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func text() -> Value { .string(Text(random.pick(Self.texts))) }

  mutating func title() -> Value {
    .string(Text("T" + random.pick(Self.texts)))
  }

  mutating func id() -> Value {
    idCount += 1
    return .string(Text("id\(idCount)"))
  }

  mutating func body() -> Value {
    .list(List((0..<random.below(7)).map { _ in element(depth: 3) }))
  }

  private mutating func elements(depth: Int) -> Value {
    // Scripts write an empty list as a map.
    let count = random.below(4)
    return count == 0 ? [:] : .list(List((0..<count).map { _ in element(depth: depth - 1) }))
  }

  mutating func element(depth: Int) -> Value {
    if random.below(8) == 0 { return text() }
    var fields: [(Key, Value)] = []
    switch random.below(depth > 0 ? 15 : 11) {
    case 0, 1:
      fields = [("type", "TextBlock"), ("text", text()), ("wrap", .bool(random.below(3) > 0))]
      if random.below(3) == 0 { fields.append(("maxLines", .int(Int64(random.below(3) + 1)))) }
      if random.below(3) == 0 { fields.append(("style", "heading")) }
      fields.append(("color", random.pick(["default", "good", "Attention", "accent"])))
    case 2:
      fields = [
        ("type", "RichTextBlock"),
        ("inlines", .list(List((0..<random.below(4)).map { _ in run() }))),
      ]
    case 3: fields = [("type", "Image"), ("url", "/x"), ("altText", text())]
    case 4:
      let facts = (0..<random.below(4)).map { _ -> Value in ["title": text(), "value": text()] }
      fields = [("type", "FactSet"), ("facts", .list(List(facts)))]
    case 5:
      fields = [
        ("type", "ActionSet"),
        ("actions", .list(List((0..<random.below(4)).map { _ in action() }))),
      ]
    case 6: return action()
    case 7, 8: fields = input()
    case 9:
      let points: Value = [
        ["x": text(), "y": -1.5], ["x": 2, "y": 1e308], ["x": text(), "y": 3],
      ]
      let others: [[(Key, Value)]] = [
        [("type", "Model")],
        [("type", "Chart.HorizontalBar"), ("title", text()), ("data", points)],
        [("type", "Chart.Line"), ("data", [["legend": text(), "values": points]])],
        [("type", "Media"), ("sources", [["url": "/film"]])],
        [("type", "ImageSet"), ("images", [["url": "/x", "altText": text()], ["url": "/y"]])],
      ]
      fields = random.pick(others)
    case 10:
      fields = [
        ("type", "ProgressBar"), ("value", random.pick([.null, 0, 3, 7.5, 1e308, -1])),
        ("max", random.pick([.null, 1, 10])),
      ]
    case 11:
      fields = [("type", "Container"), ("items", elements(depth: depth))]
      fields.append(("style", random.pick(["default", "good", "emphasis"])))
      // One with all of its rows; CardListTests has those that are drawn in part.
      if random.below(4) == 0 { fields[0].1 = "List" }
    case 12, 13:
      let columns = (0..<random.below(4)).map { _ -> Value in
        [
          "width": random.pick(["auto", "stretch", 1, 2.5, "80px"]),
          "items": elements(depth: depth),
          "selectAction": random.below(4) == 0 ? action(title: "") : .null,
        ]
      }
      fields = [("type", "ColumnSet"), ("columns", .list(List(columns)))]
    default:
      let rows = (0..<random.below(4)).map { _ -> Value in
        let cells = (0..<random.below(4)).map { _ -> Value in ["items": elements(depth: depth)] }
        return ["cells": .list(List(cells))]
      }
      fields = [
        ("type", "Table"), ("rows", .list(List(rows))),
        ("firstRowAsHeader", .bool(random.below(2) == 0)),
        ("horizontalCellContentAlignment", random.pick(["left", "right"])),
      ]
    }
    if random.below(6) == 0 { fields.append(("separator", true)) }
    if random.below(6) == 0 { fields.append(("isVisible", false)) }
    if random.below(4) == 0 {
      fields.append(("spacing", random.pick(["none", "small", "medium", "large", "extraLarge"])))
    }
    if random.below(4) == 0 {
      fields.append(("horizontalAlignment", random.pick(["left", "center", "right"])))
    }
    if random.below(6) == 0, !fields.contains(where: { $0.0 == "id" }) {
      fields.append(("id", id()))
    }
    if random.below(4) == 0, ["Image", "Container", "ColumnSet"].contains(fields[0].1.stringValue) {
      fields.append(("selectAction", action(title: random.below(2) == 0 ? "" : text())))
    }
    return .map(Map(fields))
  }

  private mutating func run() -> Value {
    switch random.below(3) {
    case 0: text()
    case 1: ["text": text(), "color": "good"]
    default: ["text": text(), "selectAction": action()]
    }
  }

  private mutating func action(title: Value? = nil) -> Value {
    let title = title ?? self.title()
    let isEnabled = Value.bool(random.below(6) > 0)
    return switch random.below(5) {
    case 0: ["type": "Action.OpenUrl", "title": title, "url": "/x", "isEnabled": isEnabled]
    case 1: ["type": "Action.Submit", "title": title, "mode": "secondary"]
    case 2: ["type": "Action.Execute", "title": title, "verb": "v", "isEnabled": isEnabled]
    case 3: ["type": "Action.Talk", "title": title]
    default: ["type": "Action.ShowCard", "title": title, "card": [text()]]
    }
  }

  private mutating func input() -> [(Key, Value)] {
    var fields: [(Key, Value)]
    switch random.below(5) {
    case 0: fields = [("type", "Input.Text"), ("value", text())]
    case 1: fields = [("type", "Input.Number"), ("min", 0), ("max", 10)]
    case 2: fields = [("type", "Input.Toggle"), ("title", text())]
    case 3: fields = [("type", "Input.Date"), ("min", "2026-01-01")]
    default:
      fields = [
        ("type", "Input.ChoiceSet"), ("style", random.pick(["compact", "expanded"])),
        ("choices", [["title": text(), "value": 1], ["title": text(), "value": 2]]), ("value", 2),
      ]
    }
    fields += [("id", id()), ("isRequired", .bool(random.below(2) == 0)), ("isKept", true)]
    if random.below(2) == 0 { fields.append(("label", title())) }
    return fields
  }
}

/// Random values, some of which resemble cards.
struct RandomCardValues {
  static let types: [Value] = [
    "AdaptiveCard", "TextBlock", "RichTextBlock", "TextRun", "Image", "ImageSet", "Media",
    "Container", "Slot", "ColumnSet", "Column", "FactSet", "List", "Table", "ProgressBar",
    "Chart.HorizontalBar", "Chart.Line", "ActionSet", "Input.Text", "Input.Number", "Input.Toggle",
    "Input.ChoiceSet", "Input.Date", "Input.Time", "Action.OpenUrl", "Action.Execute",
    "Action.Submit", "Action.ToggleVisibility", "Action.ShowCard",
  ]
  static let words: [Value] =
    types + [
      "x", "", "auto", "drop", "2026-01-31", "12:30", "80px", 0, -1, 1, .int(.max), .int(.min), 1.5,
      .double(.infinity), true, false, nil, [], [:],
    ]
  static let keys: [Key] = [
    "type", "text", "items", "columns", "rows", "cells", "facts", "actions", "inlines", "body",
    "selectAction", "fallback", "requires", "choices", "title", "value", "id", "url", "verb",
    "width", "min", "max", "maxLines", "targetElements", "elementId", "card", "images", "sources",
    "data", "values", "x", "y", "first", "count", "isVisible", 1, 7,
  ]

  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  mutating func value(depth: Int = 7) -> Value {
    guard depth > 0, random.below(4) > 0 else { return Self.words[random.below(Self.words.count)] }
    let count = random.below(6)
    if random.below(3) == 0 {
      return .list(List((0..<count).map { _ in value(depth: depth - 1) }))
    }
    var entries: [(Key, Value)] = [("type", random.pick(Self.types))]
    for _ in 0..<count {
      entries.append((Self.keys[random.below(Self.keys.count)], value(depth: depth - 1)))
    }
    return .map(Map(entries))
  }
}
