import MoonValues
import Testing

@testable import MoonCards

/// Lists of which a card has only some rows.
struct CardListTests {
  private static func list(
    _ rows: ClosedRange<Int>, of count: Int, id: String = "log", buttons: Int = 1
  ) -> String {
    let items = rows.map { row in
      let actions = (0..<buttons).map {
        #"{"type":"Action.Execute","title":"\#(row).\#($0)","verb":"v"}"#
      }
      return #"{"type":"ActionSet","actions":[\#(actions.joined(separator: ","))]}"#
    }
    return """
      {"type":"List","id":"\(id)","first":\(rows.lowerBound),"count":\(count),
       "items":[\(items.joined(separator: ","))]}
      """
  }

  private static func card(_ body: String) throws -> Card { try Card(Value(parsing: body)) }

  @Test(arguments: [1...3, 4...6, 998...1000], [1, 2])
  func `a control keeps its number whichever rows there are`(
    rows: ClosedRange<Int>, buttons: Int
  ) throws {
    let last = #"{"type":"Action.Execute","title":"last","verb":"v"}"#
    let first = #"{"type":"Action.Execute","title":"first","verb":"v"}"#
    let list = Self.list(rows, of: 1000, buttons: buttons)
    let card = try Self.card("[\(first),\(list),\(last)]")
    let before = 1 + (rows.lowerBound - 1) * buttons
    #expect(
      card.controls.map(\.number)
        == [1] + (1...3 * buttons).map { before + $0 } + [2 + 1000 * buttons])
    for control in card.controls {
      #expect(card.control(numbered: control.number)?.title == control.title)
    }
    #expect(card.control(numbered: before) == (before == 1 ? card.controls[0] : nil))
    #expect(card.control(numbered: .max) == nil)
    #expect(card.control(numbered: .min) == nil)
  }

  @Test func `rows that a card doesn't have are counted in text, and have room on a stage`()
    throws
  {
    let card = try Self.card("[\"above\",\(Self.list(3...4, of: 9)),\"below\"]")
    #expect(
      card.lines(width: 30).map(\.text) == [
        "above", "", "… 2 above", "[3] 3.0", "[4] 4.0", "… 5 below", "", "below",
      ])
    let lines = card.lines(
      width: 30, inputs: Map(), notes: [:], on: .stage, dates: { _ in "" })
    #expect(
      lines.map(\.text) == ["above", "", "…", "…", "[ 3.0 ]", "[ 4.0 ]"]
        + Array(repeating: "…", count: 5) + ["", "below"])
    #expect(card.lists.map(\.rows) == [2..<4])
  }

  @Test func `a list with all of its rows is a container`() throws {
    for list in [Self.list(1...2, of: 2), #"{"type":"List","items":["a"]}"#] {
      let card = try Self.card("[\(list)]")
      #expect(card.lists == [])
      #expect(card.warnings == [])
    }
  }

  @Test(arguments: [
    (#"{"type":"List","items":["a"],"count":3}"#, "[1].id: is missing"),
    (#"{"type":"List","id":"l","items":["a"],"count":3,"first":4}"#, "[1].first: is above the max"),
    (
      #"{"type":"List","id":"l","items":["a"],"count":9223372036854775807,"first":1}"#,
      "[1].count: more than 100000 rows in a list"
    ),
    (#"{"type":"List","id":"l","items":["a"],"count":"x"}"#, "[1].count: must be a positive"),
    (
      #"{"type":"List","id":"l","items":["a"],"count":3,"first":9223372036854775807}"#,
      "[1].first: is above the max"
    ),
  ])
  func `wrong numbers are told`(list: String, problem: String) throws {
    do {
      let card = try Self.card("[\(list)]")
      #expect(card.lists == [])
      #expect("\(card.warnings.first.map { "\($0)" } ?? "")".contains(problem))
    } catch let error as CardError {
      #expect("\(error)" == problem)
    }
  }

  @Test func `lists in one another, and rows of any height, stay within bounds`() throws {
    var body = Self.list(1...1, of: 100_000)
    for depth in 0..<7 {
      body = #"{"type":"List","id":"l\#(depth)","count":100000,"items":[\#(body)]}"#
    }
    let card = try Self.card("[\(body)]")
    #expect(card.lists.count == 8)
    #expect(card.controls.allSatisfy { $0.number <= 100_001 })
    let text = String(repeating: "a ", count: 9_000)
    let tall = #"{"type":"List","id":"t","count":100000,"items":["\#(text)"]}"#
    let lines = try Self.card("[\(tall)]").lines(
      width: 1, inputs: Map(), notes: [:], on: .stage, dates: { _ in "" })
    #expect(lines.count <= 1_010_000)
  }
}
