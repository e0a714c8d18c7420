import Moonwire

/// What follows from keys while something lies over the app.
enum OverlayKeys {
  static func press(_ stage: inout Stage, _ key: StageKey) -> [StageEffect] {
    switch stage.overlay {
    case .prompt(let box)?: return PromptKeys.press(&stage, key, at: box)
    case .search(let field)?: return SearchKeys.press(&stage, key, in: field)
    case .form(var form)?:
      let verdict = form.press(key)
      stage.overlay = .form(form)
      switch verdict {
      case .taken: return []
      case .wrong: return [.beep]
      case .closed: stage.overlay = nil
      case .sends(let call): return [.call(call)]
      }
    case .picker(let picker)?: return PickerKeys.press(&stage, key, in: picker)
    case .pages(var pages)?:
      let height = max(1, stage.stageArea.height - 2)
      switch key {
      case .down, .character("j"): pages.first += 1
      case .up, .character("k"): pages.first -= 1
      case .pageDown, .character(" "): pages.first += height
      case .pageUp: pages.first -= height
      default:
        stage.overlay = nil
        return []
      }
      pages.first = min(max(0, pages.first), max(0, pages.lines.count - height))
      stage.overlay = .pages(pages)
    case nil: break
    }
    return []
  }
}
