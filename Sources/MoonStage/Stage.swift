package import Moonwire

/// The app on a whole terminal, as a value: what is seen, and what follows from each key.
///
/// It does nothing by itself: ``take(_:)`` returns what is to be done, and ``picture`` what is to
/// be shown.
package struct Stage: Sendable {
  /// The maximum number of screens whose places are remembered.
  static let placeCountMax = 100

  /// The input that is being typed into.
  struct Typing: Equatable {
    let input: Text
    var field: TextField
  }

  var terminal: TerminalTraits
  var shown = ShownStage()
  var content = StageContent.empty
  var sides: [StageContent] = []
  var places: [Text: StagePlace] = [:]
  /// Where the focus is on the screen on top.
  var place = StagePlace()
  var typing: Typing?
  /// The texts typed and not yet shown by the host, by input, with why they were refused.
  var drafts: [Text: Draft] = [:]
  var overlay: Overlay?
  var bar = StatusBar()
  var typed = Typed()
  /// What the host was told of the terminal.
  var told = Told()
  /// What keys do in the app.
  var keys = AppKeyList()
  /// The state, which stands for a screen while there is none.
  var state = ShownState()

  /// What was typed before, to be used again.
  struct Typed {
    /// The lines entered at the prompt.
    var lines: [String] = []
    /// What was cut in an input, to be inserted in another.
    var clip = ""
  }

  /// What the host was told of the terminal and the person in front of it.
  struct Told {
    /// The room for a screen.
    var size: ScreenSize?
    /// Whether the host does what a move of the focus does.
    var isMovingFocus = false
    /// The input that was typed into before what is being done to the app.
    var sender: Text?
    /// What waits until what was done before is shown.
    var held = HeldEvents()
    /// Whether the host has been asked for rows of a list and hasn't answered.
    var isScrolling = false
    /// The moves of the focus that it was told of since the person did something.
    var moveCount = 0
  }

  /// A text of an input that the host doesn't show yet.
  struct Draft: Equatable {
    enum Fate: Equatable {
      case pending
      /// The host has taken it, and shows it with its next change.
      case taken
      case refused(String)
    }

    var text: String
    var fate = Fate.pending
    /// The number of texts of the input that the host has been sent and hasn't answered yet.
    var sentCount = 1
    /// What is done once the host has taken the text, and not if it refuses.
    var following: [StageEffect] = []
  }

  package init(columns: Int, rows: Int, cell: CellSize? = nil) {
    terminal = TerminalTraits(columns: columns, rows: rows, cell: cell)
  }

  var columns: Int { terminal.columns }
  var rows: Int { terminal.rows }

  /// Returns what is to be done first, and again with another host.
  package mutating func begin() -> [StageEffect] {
    told = Told()
    for id in places.keys { places[id]?.askedRows = [:] }
    place.askedRows = [:]
    // What is typed before anything is seen waits, too.
    return told.held.followBeginning(
      tellSize() + [
        .call(StageCall(.describe, "host/describe")),
        .call(StageCall(.subscribe, "screen/subscribe")),
        .call(StageCall(.ignore, "event/subscribe")),
        .call(StageCall(.ignore, "log/subscribe")),
        .call(StageCall(.problems, "module/problems")),
        .call(StageCall(.tasks, "task/list")),
        .call(StageCall(.keys, "key/list")),
      ])
  }

  // MARK: Layout

  /// Lays out what is shown, and finds the focus again.
  mutating func layOut() {
    guard let screen = shown.screen else {
      content = StageContent(text: state.lines(width: max(1, bodyArea.width)))
      sides = []
      return place.top = clamped(place.top)
    }
    content = StageContent(screen, width: bodyArea.width, on: terminal)
    sides = [shown.beside, shown.beneath].compactMap(\.self).map {
      StageContent($0, width: sideArea.width, on: terminal)
    }
    findFocus(on: screen)
    if place.followsFocus { keepFocusInSight() } else { place.top = clamped(place.top) }
  }

  /// Takes over what is shown after `before`, maybe another screen.
  mutating func take(from before: ShownStage) -> [StageEffect] {
    let former = before.screen
    if let former, former.id != shown.screen?.id {
      if places.count >= Self.placeCountMax { places = [:] }
      // Another screen of the same id begins at its own first control.
      places[former.id] = shown.hasLostTop(of: before) ? nil : place
      place = shown.screen.flatMap { places[$0.id] } ?? StagePlace()
      (place.told, place.unanswered) = (nil, [])
      (typing, drafts) = (nil, [:])
    } else {
      settleDrafts()
    }
    let isOther = former?.id != shown.screen?.id
    layOut()
    if isOther { beginTyping() }
    return followState() + (isOther ? [.call(StageCall(.keys, "key/list"))] : [])
  }

  /// Begins to type on another screen: into the input that is to have the focus, or, in a form over
  /// the app, into the first one.
  private mutating func beginTyping() {
    if place.wanted == nil { place.followsFocus = isFocusInSight }
    if place.wanted != nil && place.wanted == place.name
      || shown.beneath != nil && place.target == 0
    {
      TypingKeys.begin(&self)
    }
  }

  /// Asks for the state, or no longer.
  private mutating func followState() -> [StageEffect] {
    let isWanted = shown.screen == nil
    guard isWanted != state.isWanted else { return [] }
    let former = state.subscription
    state = ShownState()
    state.isWanted = isWanted
    if isWanted { return [.call(StageCall(.state, "state/subscribe"))] }
    return former.map {
      [.call(StageCall(.ignore, "subscription/end", ["subscription": .int($0)]))]
    } ?? []
  }

  /// Drops the texts that the host has taken.
  private mutating func settleDrafts() { drafts = drafts.filter { $0.value.fate != .taken } }

  private mutating func findFocus(on screen: StageScreen) {
    // While rows are drawn only to be searched, the focus stays where it was.
    let arrived = place.hunt == nil ? place.awaitedRow.flatMap(content.target) : nil
    if arrived != nil || awaitedLines == nil { place.awaitedRow = nil }
    if let arrived {
      place.target = arrived
    } else if let name = place.name, content.name(ofTarget: place.target, on: screen) != name {
      let found = content.targets.indices.first { content.name(ofTarget: $0, on: screen) == name }
      place.target = found ?? nearestTarget
    }
    place.target = min(place.target, max(0, content.targets.count - 1))
    place.name = content.name(ofTarget: place.target, on: screen)
    if let typing, focusedInput?.id != typing.input { self.typing = nil }
    followWanted(on: screen)
  }

  /// What gets the focus in place of a part that is no longer there, or whose row isn't drawn.
  private var nearestTarget: Int {
    let last = max(0, content.targets.count - 1)
    return (content.lists.isEmpty ? nil : seenTargets.first) ?? min(place.target, last)
  }

  /// What can be used of that which is seen.
  var seenTargets: [Int] { content.targets(on: seenLines) }

  /// Moves the focus to what the screen wants to have it, once it wants something else than before.
  private mutating func followWanted(on screen: StageScreen) {
    let index = content.wantedTarget(on: screen)
    let wanted = index.flatMap { content.name(ofTarget: $0, on: screen) }
    guard wanted != place.wanted else { return }
    place.wanted = wanted
    // A screen that wants what has the focus anyway is behind a person who moves on.
    if let wanted, wanted != place.name, let answered = place.unanswered.firstIndex(of: wanted) {
      return place.unanswered.removeFirst(answered + 1)
    }
    place.unanswered = []
    if let index, typing == nil { focus(index) }
  }

  /// Moves the focus to a target.
  mutating func focus(_ index: Int) {
    guard content.targets.indices.contains(index), let screen = shown.screen else { return }
    (place.target, place.found, place.awaitedRow) = (index, nil, nil)
    place.name = content.name(ofTarget: index, on: screen)
    keepFocusInSight()
  }

  /// Shows the part that has the focus, and keeps it in sight.
  mutating func keepFocusInSight() {
    let height = max(1, bodyArea.height)
    if let lines = focusedLines {
      if lines.lowerBound < place.top { place.top = lines.lowerBound }
      if lines.upperBound > place.top + height {
        place.top = min(lines.lowerBound, lines.upperBound - height)
      }
    }
    place.top = clamped(place.top)
    place.followsFocus = true
  }

  /// Whether something of the part that has the focus is seen; true if nothing has it.
  var isFocusInSight: Bool {
    guard let lines = focusedLines else { return true }
    return lines.overlaps(place.top..<place.top + max(1, bodyArea.height))
  }

  /// The lines of what has the focus, or of the row that is to have it.
  private var focusedLines: Range<Int>? {
    awaitedLines ?? focusedTarget.map { $0.row..<$0.row + $0.rowCount }
  }

  /// Returns the nearest line that may be the first one that is seen.
  private func clamped(_ top: Int) -> Int {
    min(max(0, top), max(0, content.lines.count - max(1, bodyArea.height)))
  }

  mutating func scroll(by step: Int) {
    if case .pages(var pages)? = overlay {
      pages.first = min(max(0, pages.first + step), max(0, pages.lines.count - 1))
      return overlay = .pages(pages)
    }
    if case .picker(var picker)? = overlay {
      picker.move(by: step)
      return overlay = .picker(picker)
    }
    place.found = nil
    place.top = clamped(place.top + step)
    place.followsFocus = isFocusInSight
  }

  // MARK: The focus

  /// The part that has the focus; nil if nothing has it, or a row that isn't drawn yet.
  var focusedTarget: StageContent.Target? {
    guard content.targets.indices.contains(place.target), awaitedLines == nil else { return nil }
    return content.targets[place.target]
  }

  /// The input that has the focus.
  var focusedInput: CardInput? {
    guard case .input(let number, _)? = focusedTarget?.part else { return nil }
    return shown.screen?.card?.input(numbered: number)
  }

  /// Why a text on the screen was refused, and of which input; nil if none was.
  ///
  /// A text that is being typed in its place may be right.
  var refusal: String? {
    for input in shown.screen?.card?.inputs ?? [] {
      guard let draft = drafts[input.id], case .refused(let reason) = draft.fate,
        typing?.input != input.id || typing?.field.text == draft.text
      else { continue }
      return reason.hasPrefix(input.name.string) ? reason : "\(input.name): \(reason)"
    }
    return nil
  }

  /// Has the host take a text for an input unless it has it, and then does what follows.
  mutating func send(
    _ text: String, of input: CardInput, then following: [StageEffect] = []
  ) -> [StageEffect] {
    let draft = drafts[input.id]
    if text == self.text(of: input) {
      switch draft?.fate {
      case .pending?:
        drafts[input.id]?.following += following
        return []
      case .taken?, nil: return following
      // What it is refused for may have changed.
      case .refused?: break
      }
    }
    drafts[input.id] = Draft(
      text: text, sentCount: (draft?.sentCount ?? 0) + 1,
      following: (draft?.following ?? []) + following)
    return [.fill(input.id, on: shown.screen, text)]
  }

  /// Returns the value of an input as a person sees it, also if the host doesn't show it yet.
  func value(of input: CardInput, on screen: StageScreen, _ card: Card) -> Value? {
    let draft = drafts[input.id].flatMap {
      try? card.value(ofInput: input.id, typed: Text($0.text))
    }
    return draft ?? card.value(of: input, in: screen.inputs)
  }

  /// Returns the text of an input as a person sees it.
  func text(of input: CardInput) -> String {
    if let draft = drafts[input.id] { return draft.text }
    guard let value = shown.screen?.card?.value(of: input, in: shown.screen?.inputs ?? Map())
    else { return "" }
    // The host tells no passwords.
    return input.isSecret ? "" : value.stringValue ?? value.canonicalText
  }
}

extension Card {
  /// Returns the input with a number; nil if there is none.
  func input(numbered number: Int) -> CardInput? {
    number >= 1 ? inputs.dropFirst(number - 1).first : nil
  }

  /// Returns the value of an input: what was filled in, or else what it had first.
  func value(of input: CardInput, in filled: Map) -> Value? {
    guard let value = filled[.string(input.id)] ?? input.initialValue, value != .null, value != ""
    else { return nil }
    return value
  }
}
