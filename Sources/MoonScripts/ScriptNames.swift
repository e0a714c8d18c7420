/// The predefined names that a script can use.
package enum ScriptNames {
  /// The globals that aren't libraries.
  package static let globals = words(
    """
    _G _VERSION assert collectgarbage error getmetatable ipairs load next pairs pcall print rawequal
    rawget rawlen rawset require select setmetatable tonumber tostring type xpcall
    """)

  /// The names in each of Lua's libraries, by library.
  package static let libraries: [String: [String]] = [
    "coroutine": "close create isyieldable resume running status wrap yield",
    "debug": "traceback",
    "io": "",
    "math": """
    abs acos asin atan ceil cos deg exp floor fmod huge log max maxinteger min mininteger modf pi
    rad random sin sqrt tan tointeger type ult
    """,
    "os": "clock date difftime time",
    "package": "config loaded preload",
    "string": """
    byte char find format gmatch gsub len lower match pack packsize rep reverse sub unpack upper
    """,
    "table": "concat insert move pack remove sort unpack",
    "utf8": "char charpattern codepoint codes len offset",
  ].mapValues(words)

  /// The names in `require "moonwire"` and its parts, by the path that scripts write.
  package static let moon = Dictionary(
    grouping: ScriptLibrary.words.filter { $0.path.hasPrefix("moon.") }, by: \.owner
  ).mapValues { $0.map(\.name).sorted() }

  /// The names of the functions in `self`.
  package static let context = ScriptLibrary.words.filter {
    $0.owner == "self" && $0.parameters != nil
  }.map(\.name).sorted()

  /// The parts of Lua that the sandbox lacks, each with its replacement, or an empty text.
  ///
  /// `io` is an empty table, since many libraries look at it when they are loaded.
  package static let absent: [String: String] = [
    "io": "moon.files reads and writes what a person grants; other data belongs into the state",
    "debug.getinfo": "", "debug.getlocal": "", "debug.sethook": "", "debug.getupvalue": "",
    "package.path": packageNames, "package.cpath": packageNames,
    "package.loadlib": packageNames, "package.searchers": packageNames,
    "package.searchpath": packageNames,
    "dofile": "`require` runs a file of the script directory",
    "loadfile": "`require` runs a file of the script directory",
    "loadstring": "it is called load",
    "unpack": "it is called table.unpack",
    "getfenv": "Lua 5.4 has _ENV",
    "setfenv": "Lua 5.4 has _ENV",
    "math.randomseed": "the host seeds math.random",
    "math.pow": "write x ^ y",
    "os.execute": osNames, "os.exit": osNames, "os.getenv": osNames, "os.remove": osNames,
    "os.rename": osNames, "os.setlocale": osNames, "os.tmpname": osNames,
    "string.dump": "",
    "string.gfind": "it is called string.gmatch",
    "table.getn": "write #t",
    "table.maxn": "write #t",
  ]

  private static let packageNames = "`require` finds libraries in the script directory"
  private static let osNames = "os has clock, date, difftime and time"

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
