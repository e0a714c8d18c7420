import Moonwire

/// What is asked of the host.
extension StageEffect {
  /// Does something to the app.
  static func act(_ method: String, _ parameters: Map = Map()) -> StageEffect {
    .call(StageCall(.act, method, parameters))
  }

  /// Fills in an input of the screen that is seen.
  static func fill(_ input: Text, on screen: StageScreen?, _ text: String) -> StageEffect {
    var parameters: Map = ["input": .string(input), "text": .string(Text(text))]
    parameters["screen"] = screen.map { .string($0.id) }
    return .call(StageCall(.fill(input), "screen/fill", parameters))
  }

  /// Brings a row of a list on the screen that is seen into sight, counted from 1.
  static func scroll(_ list: Text, to row: Int, on screen: StageScreen) -> StageEffect {
    .call(
      StageCall(
        .scroll, "screen/scroll",
        ["list": .string(list), "row": .int(Int64(row)), "screen": .string(screen.id)]))
  }

  /// Selects a tab, or a column of a split view.
  static func select(_ item: ShownStage.Item, of shown: ShownStage) -> StageEffect {
    guard shown.tabs.isEmpty else {
      return .act(
        "action/dispatch",
        ["type": "nav/select_tab", "payload": ["id": .string(item.id), "origin": "user"]])
    }
    let isFirst = shown.columns.first == item
    return .act(
      "action/dispatch",
      [
        "type": "nav/select_column",
        "payload": ["column": isFirst ? "master" : "detail", "origin": "user"],
      ])
  }
}
