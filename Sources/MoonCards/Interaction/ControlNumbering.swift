import MoonValues

/// Walks a card in reading order, leaves out hidden elements, and numbers the controls, and what
/// else is referred to by a number.
struct ControlNumbering {
  let visibility: [Text: Bool]
  private(set) var controls: [CardControl] = []
  private(set) var inputs: [CardInput] = []
  private(set) var lists: [CardList] = []
  private(set) var images: [CardImage] = []
  /// The number of the last control.
  private var last = 0
  private var isInList = false

  init(visibility: [Text: Bool]) {
    self.visibility = visibility
  }

  mutating func visible(_ elements: [Element]) -> [Element] {
    var visible: [Element] = []
    visible.reserveCapacity(elements.count)
    for element in elements {
      if isVisible(element) {
        // Most elements are texts, and copying one without a change would be most of this walk.
        visible.append(element.mayHoldNumbers ? numbered(element) : element)
      } else if element.isMenu {
        _ = numbered(element)
      }
    }
    return visible
  }

  private func isVisible(_ element: Element) -> Bool {
    element.id.flatMap { visibility[$0] } ?? element.isVisible
  }

  /// A selectable element precedes the elements that it holds.
  private mutating func numbered(_ element: Element) -> Element {
    var element = element
    if let action = element.selectAction {
      element.selectAction = numbered(action, naming: selectTitle(of: element))
    }
    switch element.content {
    case .container(let style, let items):
      element.content = .container(style, rows(items, of: &element.list))
    case .columns(let columns):
      var shown: [Column] = []
      for var column in columns where isVisible(column.element) {
        column.element = numbered(column.element)
        shown.append(column)
      }
      element.content = .columns(shown)
    case .table(var table):
      for row in table.rows.indices {
        for cell in table.rows[row].cells.indices {
          let element = table.rows[row].cells[cell]
          table.rows[row].cells[cell] =
            isVisible(element)
            ? numbered(element) : Element(content: .container(.plain, []))
        }
      }
      element.content = .table(table)
    case .actions(let actions):
      var numbered: [Action] = []
      for action in actions { numbered.append(self.numbered(action, naming: "")) }
      element.content = .actions(numbered)
    case .rich(var runs):
      for index in runs.indices {
        guard let action = runs[index].selectAction else { continue }
        runs[index].selectAction = numbered(action, naming: runs[index].text)
      }
      element.content = .rich(runs)
    case .input(var input):
      input.number = inputs.count + 1
      inputs.append(input)
      element.content = .input(input)
    case .image(let alternative, var image?):
      image.number = images.count + 1
      images.append(image)
      element.content = .image(alternative: alternative, image)
    case .text, .image, .facts, .progress, .chart, .placeholder: break
    }
    return element
  }

  /// Numbers the controls in rows of a list as if it had all of its rows.
  private mutating func rows(_ items: [Element], of list: inout CardList?) -> [Element] {
    guard var part = list else { return visible(items) }
    part.number = lists.count + 1
    list = part
    lists.append(part)
    // Numbers in one another could grow beyond any integer.
    guard !isInList else { return visible(items) }
    isInList = true
    defer { isInList = false }
    let (before, first) = (last, controls.count)
    var counting = self
    _ = counting.visible(items)
    let count = counting.controls.count - first
    let perRow = (count + max(1, items.count) - 1) / max(1, items.count)
    last = before + part.rows.lowerBound * perRow
    let rows = visible(items)
    last = before + part.rowCount * perRow
    return rows
  }

  private mutating func numbered(_ action: Action, naming element: Text) -> Action {
    guard action.isControl else { return action }
    var action = action
    if action.title.isEmpty { action.title = element.isEmpty ? action.ownName : element }
    last += 1
    action.number = last
    controls.append(CardControl(action))
    return action
  }
}

extension ControlNumbering {
  /// The title of a selectable element whose action has none: its first text.
  private func selectTitle(of element: Element) -> Text {
    if let title = element.content.title { return title }
    for child in element.content.children where isVisible(child) {
      let title = selectTitle(of: child)
      if !title.isEmpty { return title }
    }
    return ""
  }
}

extension Element {
  /// Whether it, or anything in it, may have a number.
  fileprivate var mayHoldNumbers: Bool {
    switch content {
    case .image(_, _?): true
    case .text, .image, .facts, .progress, .chart, .placeholder: selectAction != nil
    case .rich, .container, .columns, .table, .actions, .input: true
    }
  }
}

extension Action {
  /// What it does, in place of a title.
  var ownName: Text {
    switch kind {
    case .open(let url): url
    case .execute(let verb, _): verb
    case .submit(let verb, _): verb ?? id ?? "Submit"
    case .toggleVisibility, .showCard: id ?? "Show or hide"
    case .unavailable(let type): type
    }
  }
}
