import MoonLua
import MoonSession
import MoonStore
import MoonValues

extension KeyReader {
  /// Reads `observe = { ["counter.count"] = function(new, old, self) … end }`.
  static let observe = KeyReader("observe") { reader, form, module in
    for (name, function) in reader.form.functions(form, key: "observe") {
      do {
        module.observers.append(reader.generation.observer(try Path(parsing: name), function))
      } catch {
        reader.form.note(.invalidPath(key: "observe", text: name), at: function.place)
      }
    }
  }
}

extension Generation {
  fileprivate func observer(_ path: Path, _ function: LuaFunction) -> Observer {
    let limits = limits(.observer, "an observer")
    let label = path.description
    return Observer(path, place: function.place) { [self] new, old, _ in
      _ = try call(
        function,
        [
          new.map { .view($0, name: label) } ?? .none,
          function.takes(2) ? old.map { .view($0, name: label) } ?? .none : .none, .context,
        ], limits)
    }
  }
}
