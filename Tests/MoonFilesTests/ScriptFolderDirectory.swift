import MoonFiles
import MoonTestSupport

extension ScriptFolder {
  var directory: ScriptDirectory { ScriptDirectory(root: root) }
}
