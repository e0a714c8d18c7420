import Moonwire

/// A list to choose from, narrowed by typing.
struct Picker: Sendable {
  /// What a choice means.
  enum Meaning: Sendable {
    /// Begins a line of the prompt; a whole one is carried out.
    case line(String, isWhole: Bool)
    /// Asks for the fields of an action.
    case form(ActionForm)
    /// A value of an input.
    case value(Value)
    /// A control of a menu, as it was when the menu was opened, and the screen that it is on.
    case control(CardControl, of: Text)
    case tab(Text)
    /// What keys of the app do.
    case keys(AppKeyList.Entry)
    /// What a key of the stage does.
    case stageKey(StageKey)
    /// Nothing: it is only read.
    case nothing
  }

  struct Item: Sendable {
    let title: String
    var note = ""
    var isMarked = false
    /// Whether it can't be chosen now.
    var isDimmed = false
    let meaning: Meaning
  }

  /// What is chosen for.
  enum Purpose: Sendable, Equatable {
    case palette, menu, keys
    case input(Text, isMultiple: Bool)
  }

  let purpose: Purpose
  let title: String
  private(set) var items: [Item]
  private(set) var query = TextField()
  /// The indices of the items that match the query, the best first.
  private(set) var matches: [Int]
  private(set) var selected = 0

  init(_ purpose: Purpose, title: String, _ items: [Item], selecting index: Int = 0) {
    (self.purpose, self.title, self.items) = (purpose, title, items)
    matches = Array(items.indices)
    selected = min(index, max(0, items.count - 1))
  }

  var selectedItem: Item? { matches.indices.contains(selected) ? items[matches[selected]] : nil }

  mutating func add(_ more: [Item]) {
    items += more
    narrow()
  }

  mutating func move(by step: Int) {
    guard !matches.isEmpty else { return }
    selected = min(max(0, selected + step), matches.count - 1)
  }

  mutating func select(_ place: Int) { selected = min(max(0, place), max(0, matches.count - 1)) }

  /// Marks the selected item, or no longer.
  mutating func toggle() {
    if matches.indices.contains(selected) { items[matches[selected]].isMarked.toggle() }
  }

  mutating func edit(_ change: (inout TextField) -> Void) {
    let before = query.text
    change(&query)
    guard query.text != before else { return }
    narrow()
    selected = 0
  }

  private mutating func narrow() {
    let wanted = Array(query.text.lowercased())
    guard !wanted.isEmpty else { return matches = Array(items.indices) }
    let ranked = items.indices.compactMap { index -> (index: Int, rank: Int)? in
      let title = items[index].title.lowercased()
      // Sentences have most letters in any order.
      let rank =
        purpose == .keys ? title.range(ofWhole: String(wanted)) : Self.rank(of: wanted, in: title)
      return rank.map { (index, $0) }
    }
    matches = ranked.sorted { ($0.rank, $0.index) < ($1.rank, $1.index) }.map(\.index)
    selected = min(selected, max(0, matches.count - 1))
  }

  /// Returns how far characters are apart in a text; nil if it doesn't have them in this order.
  private static func rank(of wanted: [Character], in text: String) -> Int? {
    if let range = text.range(ofWhole: String(wanted)) { return range }
    var rest = wanted[...]
    var rank = 1_000
    for (place, character) in text.enumerated() {
      if character == rest.first {
        rest.removeFirst()
        rank += place
        if rest.isEmpty { return rank }
      }
    }
    return nil
  }
}

extension String {
  /// The number of characters before a text in this one; nil if it isn't there.
  fileprivate func range(ofWhole text: String) -> Int? {
    guard let found = ranges(of: text).first else { return nil }
    return distance(from: startIndex, to: found.lowerBound)
  }
}
