import MoonTerminal
import MoonValues
import Testing

@testable import MoonCards

/// Properties of every card.
struct RenderingPropertyTests {
  static let widths = [1, 2, 3, 5, 8, 13, 20, 40, 80, 200]

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `lines fit, are safe and end with no blanks`(seed: UInt64) throws {
    var random = RandomCards(seed: seed)
    let card = try Card(random.body())
    for width in Self.widths {
      for line in card.lines(width: width) {
        #expect(line.width <= width)
        // The terminal may compute widths differently.
        #expect(TerminalText.width(of: line.text) <= width, "\(line.text.debugDescription)")
        #expect(TerminalText.sanitized(line.text) == line.text)
        #expect(!line.text.contains { $0.isNewline || $0 == "\t" })
        #expect(line.text.last != " ")
        #expect(line.spans.allSatisfy { !$0.text.isEmpty })
        #expect(zip(line.spans, line.spans.dropFirst()).allSatisfy { $0.role != $1.role })
      }
    }
  }

  /// Lines may be cut only because a terminal is too narrow for marks, not because a layout is
  /// wrong.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `where there is room the layout itself fits`(seed: UInt64) throws {
    var random = RandomCards(seed: seed)
    let card = try Card(random.body())
    for width in [100, 200] {
      for line in Layout(inputs: Map()).lines(card.shown, width: width) {
        #expect(line.width <= width)
      }
    }
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `lines show the numbers of the controls, each once`(seed: UInt64) throws {
    var random = RandomCards(seed: seed)
    let card = try Card(random.body())
    #expect(card.controls.map(\.number) == Array(1..<card.controls.count + 1))
    var marks: [Int] = []
    for line in card.lines(width: 4096) {
      for span in line.spans {
        guard case .action(let number) = span.role else { continue }
        // Compared by scalars, since a title may begin with a combining mark.
        if span.text.unicodeScalars.starts(with: "[\(number)]".unicodeScalars) {
          marks.append(number)
        }
      }
    }
    let menus = card.controls.flatMap { card.controls(inMenuOf: $0) }
    #expect(
      marks.sorted() == card.controls.filter { !menus.contains($0) }.map(\.number),
      "\(card.lines(width: 60)) \(card.controls)")
    for control in card.controls {
      #expect(card.control(numbered: control.number) == control)
      #expect(!control.title.isEmpty)
    }
  }

  @Test(arguments: 0..<100 as Range<UInt64>)
  func `without columns and tables numbers count from top to bottom`(seed: UInt64) throws {
    var random = RandomCards(seed: seed)
    let list = try #require(random.body().listValue)
    let flat = list.filter {
      !["ColumnSet", "Table", "Container"].contains($0["type"]?.stringValue)
    }
    var seen = 0
    for line in try Card(.list(List(flat))).lines(width: 30) {
      for span in line.spans {
        guard case .action(let number) = span.role, number != seen else { continue }
        #expect(number > seen)
        seen = number
      }
    }
  }

  @Test(arguments: 0..<2000 as Range<UInt64>)
  func `any value is a card or has an error`(seed: UInt64) {
    var random = RandomCardValues(seed: seed)
    let body = random.value()
    do throws(CardError) {
      let card = try Card(body)
      for width in [1, 30] { _ = card.lines(width: width) }
      let hidden = Dictionary(uniqueKeysWithValues: card.inputs.map { ($0.id, false) })
      for control in card.controls {
        do throws(CardInputError) {
          guard case .toggleVisibility(let changes) = try card.outcome(of: control) else {
            continue
          }
          _ = card.applying(visibility: card.visibility(after: changes))
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
      #expect(card.applying(visibility: hidden).inputs.isEmpty)
    } catch {
      // The place is in the value, or is a field that the value lacks.
      let components = error.path.components
      let parent = Path(Array(components.dropLast()))
      #expect(
        body.value(at: error.path) != nil || body.value(at: parent)?.mapValue != nil,
        "\(error): \(body)")
    }
  }

  /// Breaks one thing in a valid card, at any place.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `a warning names the place that was broken, and no other`(seed: UInt64) throws {
    var random = RandomCards(seed: seed)
    let body = random.body()
    _ = try Card(body)
    var places: [Path] = []
    Self.collect(body, at: Path(), into: &places)
    for place in places {
      let broken = Self.replacing(body, at: place.components[...], with: .map(["no": "way"]))
      let problems = try Card(broken).warnings.filter {
        if case .leftOut = $0 { true } else { false }
      }
      #expect(problems.map(\.path) == [place], "\(broken)")
    }
  }

  /// The places of fields that must be strings.
  private static func collect(_ value: Value, at path: Path, into places: inout [Path]) {
    switch value {
    case .list(let list):
      for (index, item) in list.enumerated() {
        collect(item, at: path.appending(.index(Int64(index) + 1)), into: &places)
      }
    // Unknown fields aren't checked.
    case .map(let map) where map["type"] != "Model" && map["type"] != "Action.Talk":
      for (key, item) in map {
        let inner = path.appending(Path.Component(key))
        if ["text", "altText", "color", "spacing", "verb", "id"].contains(key) {
          places.append(inner)
        }
        collect(item, at: inner, into: &places)
      }
    default: break
    }
  }

  private static func replacing(
    _ value: Value, at place: ArraySlice<Path.Component>, with new: Value
  ) -> Value {
    guard let first = place.first else { return new }
    switch (value, first) {
    case (.list(let list), .index(let index)):
      var items = Array(list)
      items[Int(index) - 1] = replacing(items[Int(index) - 1], at: place.dropFirst(), with: new)
      return .list(List(items))
    case (.map(var map), _):
      map[first.mapKey] = replacing(map[first.mapKey] ?? .null, at: place.dropFirst(), with: new)
      return .map(map)
    default: return value
    }
  }
}

/// The cost of an untrusted card.
struct RenderingCostTests {
  /// Cards that take forever if each set of columns measures the sets in it more than once, and all
  /// memory if a line gets room for all of them.
  @Test(arguments: ["ColumnSet", "Table"], [1, 80])
  func `sets in sets and very wide ones are drawn`(type: String, width: Int) throws {
    var nested: Value = .list(List(Array(repeating: Value("some words"), count: 500)))
    for _ in 0..<(type == "Table" ? 3 : 5) {
      let inner: Value = ["items": nested]
      nested =
        type == "Table"
        ? [["type": "Table", "rows": [["cells": [inner, ["items": ["x"]]]]]]]
        : [["type": "ColumnSet", "columns": [inner, ["items": ["x"]]]]]
    }
    #expect(try lines(nested, width: width).count >= 500)

    let many = Array(repeating: ["width": "9999999999px", "items": ["x"]] as Value, count: 2000)
    let wide: Value = ["type": "ColumnSet", "columns": .list(List(many))]
    let around: Value = ["type": "ColumnSet", "columns": [["items": [wide]], ["items": ["y"]]]]
    #expect(try lines([around], width: width).count >= 2000)
  }
}
