import MoonTerminal
import Moonwire

/// The greeting of the prompt.
enum Greeting {
  static func text(_ directory: String, modules: [String], actions: Int) -> String {
    guard !modules.isEmpty else { return empty(directory) }
    let names = modules.count > 8 ? "" : " (\(modules.joined(separator: ", ")))"
    return "moonwire \(Version.current): \(Wording.counted(modules.count, "module"))\(names),"
      + " \(Wording.counted(actions, "action"))"
      + " — Tab completes, :help explains, Ctrl-D leaves"
  }

  /// There is no module yet.
  static func empty(_ directory: String) -> String {
    "\(TerminalText.singleLine(directory)) has no modules yet: save one there, such as hello.lua,"
      + " and it starts"
  }
}
