import MoonPrompt
import MoonProtocol
import MoonTerminal
import Moonwire

/// What is seen in a session, as its host tells it.
struct ShownStage {
  /// A tab, or a column of a split view.
  struct Item: Equatable {
    let id: Text
    let title: String
    let isSelected: Bool
  }

  /// What the host told, of which it tells the changes.
  private var record = Value.map(Map())
  private(set) var screen: StageScreen?
  private(set) var beside: StageScreen?
  private(set) var beneath: StageScreen?
  /// The titles of the screens below the one on top in its stack.
  private(set) var titles: [String] = []
  private(set) var tabs: [Item] = []
  private(set) var columns: [Item] = []

  /// Whether the screen on top was dismissed or popped, as opposed to covered or on another tab.
  func hasLostTop(of before: ShownStage) -> Bool {
    if let covered = before.beneath { return covered.id == screen?.id }
    return before.tabs == tabs && before.columns == columns && before.titles.count > titles.count
  }

  /// Takes what the host tells first.
  mutating func take(_ record: Value) {
    self.record = record
    screen = Self.screen(record["screen"], former: screen)
    beside = Self.screen(record["beside"], former: beside)
    beneath = Self.screen(record["beneath"], former: beneath ?? screen)
    titles = (record["titles"]?.listValue ?? List()).compactMap(\.stringValue)
    tabs = Self.items(record["tabs"])
    columns = Self.items(record["columns"])
  }

  /// Takes changes; returns false if they don't fit what was told before.
  mutating func take(changes: List) -> Bool {
    guard let changed = StatePatch.value(record, changedBy: changes), let changed else {
      return false
    }
    take(changed)
    return true
  }

  private static func screen(_ value: Value?, former: StageScreen?) -> StageScreen? {
    guard let value, value["id"] != nil else { return nil }
    if let former, former.record.isIdentical(to: value) { return former }
    return StageScreen(value, former: former)
  }

  private static func items(_ value: Value?) -> [Item] {
    (value?.listValue ?? List()).map { item in
      Item(
        id: item["id"]?.textValue ?? "", title: item["title"]?.stringValue ?? "",
        isSelected: item["selected"] == true)
    }
  }
}

/// A screen, as the host tells it.
struct StageScreen {
  fileprivate let record: Value
  let id: Text
  let title: String
  let url: String?
  /// The elements; nil if there are none.
  let card: Card?
  /// What people have filled in, by input.
  let inputs: Map
  /// The control whose action was refused, and why.
  let refusal: (number: Int, reason: String)?
  /// The reason that there are no elements.
  let failure: [String]?

  init(_ record: Value, former: StageScreen?) {
    self.record = record
    id = record["id"]?.textValue ?? ""
    title = record["title"]?.stringValue ?? ""
    url = record["url"]?.stringValue
    inputs = record["inputs"]?.mapValue ?? Map()
    refusal = record["refusal"]?["number"]?.intValue.map {
      (Int(clamping: $0), record["refusal"]?["reason"]?.stringValue ?? "")
    }
    let shown = (record["visibility"]?.mapValue ?? Map()).compactMap { key, value in
      key.text.flatMap { text in value.boolValue.map { (text, $0) } }
    }
    let visibility = Dictionary(shown) { first, _ in first }
    (card, failure) = Self.content(of: record, visibility, former)
  }

  private static func content(
    of record: Value, _ visibility: [Text: Bool], _ former: StageScreen?
  ) -> (Card?, [String]?) {
    if record["placeholder"] == true {
      return (nil, ["What made this screen is gone: the screen comes back with it."])
    }
    if let error = record["error"] {
      let report = Report(record: error)
      return (nil, (report?.text(.plain) ?? "the screen can't be drawn").lines)
    }
    guard let body = record["body"] else { return (nil, ["Nothing is on this screen."]) }
    if let card = former?.card, card.body.isIdentical(to: body) {
      return (card.applying(visibility: visibility), nil)
    }
    do throws(CardError) {
      // At the host's place: the cards that actions show are called by where they are.
      let card = try Card(body, at: Path([.key("body")]))
      return (card.applying(visibility: visibility), nil)
    } catch {
      return (nil, ["What should be shown isn't a list of elements: \(error)"])
    }
  }
}

extension Key {
  /// The key if it is a text.
  fileprivate var text: Text? {
    if case .string(let text) = self { text } else { nil }
  }
}

extension String {
  /// The lines, also empty ones.
  var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
