package import MoonValues

/// The host functions available to the code of a machine.
package struct Services {
  /// A library that a script requires.
  package struct Library {
    /// Its path relative to the script directory.
    package let file: String
    let source: [UInt8]
    /// Whether the source is a text in compiled form.
    let isCompiled: Bool

    package init(file: String, source: [UInt8]) {
      self.file = file
      self.source = source
      isCompiled = false
    }

    /// Makes a library of the program's own, which is compiled once for all machines.
    package init(file: String, own source: [UInt8]) {
      self.file = file
      let compiled = CompiledTexts.form(of: source, chunk: "@\(file)")
      self.source = compiled ?? source
      isCompiled = compiled != nil
    }
  }

  /// Calls a function of the host by its number.
  ///
  /// A nil argument is nil in Lua.
  var callHost: (Int32, [Value?]) throws(HostRefusal) -> [Argument]
  var findLibrary: (String) throws(HostRefusal) -> Library

  package init(
    callHost: @escaping (Int32, [Value?]) throws(HostRefusal) -> [Argument],
    findLibrary: @escaping (String) throws(HostRefusal) -> Library
  ) {
    self.callHost = callHost
    self.findLibrary = findLibrary
  }
}

/// An argument for Lua.
package enum Argument {
  /// A copy, as a plain table.
  case value(Value)
  /// A draft of a list or map, which is not copied and whose changes are lost; other values are
  /// passed as they are. `name` is its name in error messages.
  ///
  /// It can be used until the call returns, so that a function that may wait gets a copy instead.
  case draft(Value, name: StaticString)
  /// A read-only draft of a tree, which is not copied; `name` is its name in error messages.
  case view(Value, name: String)
  /// Nil in Lua.
  case none
  /// The `self` of registrations, a table made by the prelude.
  case context
  /// A function of the same machine.
  case function(LuaFunction)
  /// Data with strings of any bytes.
  case data(HostData)
}

/// Data for Lua, with strings of any bytes.
package enum HostData {
  case value(Value)
  case bytes([UInt8])
  case list([HostData])
  case fields([(name: String, content: HostData)])
}
