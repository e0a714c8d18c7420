package import MoonValues

/// What the code of a machine can reach of the host.
package struct Services {
  /// A library that a script requires.
  package struct Library {
    /// Its path relative to the script directory.
    package let file: String
    package let source: [UInt8]

    package init(file: String, source: [UInt8]) {
      self.file = file
      self.source = source
    }
  }

  /// A function of the host's, by its number; nil among the arguments is Lua's nil.
  var callHost: (Int32, [Value?]) throws(Refusal) -> [Argument]
  var findLibrary: (String) throws(Refusal) -> Library

  package init(
    callHost: @escaping (Int32, [Value?]) throws(Refusal) -> [Argument],
    findLibrary: @escaping (String) throws(Refusal) -> Library
  ) {
    self.callHost = callHost
    self.findLibrary = findLibrary
  }
}

/// What is passed to Lua.
package enum Argument {
  /// A copy, as a plain table.
  case value(Value)
  /// A look at a tree, copied nowhere; `name` is what errors call it.
  case view(Value, name: String)
  /// Lua's nil.
  case none
  /// The table that the prelude made for registrations: their `self`.
  case context
}
