import MoonCards
import MoonValues
import Testing

/// Numbers come from scripts and terminals, and may have any value.
struct ExtremeNumberTests {
  static let numbers: [Value] = [
    .int(.min), .int(.min + 1), -1, 0, 1, .int(.max - 1), .int(.max), .double(-.infinity),
    .double(-.greatestFiniteMagnitude), -0.5, -0.0, .double(.leastNonzeroMagnitude), 1e18, 1e300,
    .double(.greatestFiniteMagnitude), .double(.infinity),
  ]

  static let bodies: [@Sendable (Value) -> Value] = [
    { [text("some words", ("maxLines", $0))] },
    { ["type": "Input.Text", "id": "a", "maxLength": $0, "value": "words"] },
    { ["type": "Input.Number", "id": "a", "min": $0] },
    { ["type": "Input.Number", "id": "a", "max": $0] },
    { ["type": "Input.Number", "id": "a", "value": $0] },
    { ["type": "Input.Toggle", "id": "a", "title": "t", "valueOn": $0, "value": $0] },
    { ["type": "Input.ChoiceSet", "id": "a", "choices": [["title": "x", "value": $0]]] },
    { columns($0) }, { columns(.string(Text("\($0.canonicalText)px"))) },
    { columns(.string(Text($0.canonicalText))) },
    { ["type": "Table", "columns": [["width": $0], [:]], "rows": [["cells": ["x", "y"]]]] },
    { ["type": "Container", "items": ["x"], "requires": ["adaptiveCards": versioned($0)]] },
  ]

  private static func columns(_ width: Value) -> Value {
    ["type": "ColumnSet", "columns": [["width": width, "items": ["x"]], ["items": ["y"]]]]
  }

  private static func versioned(_ number: Value) -> Value {
    .string(Text("1.\(number.canonicalText)"))
  }

  @Test(arguments: numbers)
  func `a number anywhere makes a card or an error`(number: Value) throws {
    for body in Self.bodies {
      let card: Card
      do throws(CardError) {
        card = try Card(body(number))
      } catch {
        #expect(!error.description.isEmpty)
        continue
      }
      for width in [.min, -1, 0, 1, 80, .max] {
        for line in card.lines(width: width, inputs: ["a": number]) {
          #expect(line.width <= max(1, width))
        }
      }
      for input in card.inputs {
        _ = try? card.value(ofInput: input.id, typed: Text(number.canonicalText))
      }
    }
  }

  @Test(arguments: [.min, -1, 0, 2, .max])
  func `no control has a number that isn't there`(number: Int) throws {
    #expect(try Card([open("Go", "/go")]).control(numbered: number) == nil)
    #expect(try Card([]).control(numbered: number) == nil)
  }
}
