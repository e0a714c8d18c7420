import MoonLua
import MoonModules
import MoonNavigation
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `title = function(screen, state) … end`, or a table of functions by kind of screen.
  static let title = KeyReader("title") { reader, form, module in
    let owner = Text(reader.generation.name.text)
    if let function = form.functionValue {
      module.presenters.append(reader.generation.title(of: .module(owner), function))
      return
    }
    guard form.fields != nil else {
      let expected = "a function, or a table of functions by kind of screen"
      reader.form.note(.wrongKind(key: "title", expected: expected, found: form.kind), key: "title")
      return
    }
    for (kind, function) in reader.form.functions(form, key: "title") {
      module.presenters.append(reader.generation.title(of: .kind(Text(kind), of: owner), function))
    }
  }
}

extension Generation {
  /// Returns the presenter that gives screens the title that a function returns.
  ///
  /// It comes before all others, which see the title and may change it.
  fileprivate func title(of screens: ScreenPattern, _ function: LuaFunction) -> Presenter {
    let limits = limits(.routing, "a title")
    return Presenter(of: screens, priority: .max, place: function.place) {
      [self] screen, _, context in
      switch try ask(function, .value(screen.value), context, limits) {
      case nil: break
      case .string(let text): screen.title = text
      case let other?:
        throw refusal(
          "title returns a text, or nothing to keep the screen's, not \(other.kind)", function)
      }
    }
  }
}
