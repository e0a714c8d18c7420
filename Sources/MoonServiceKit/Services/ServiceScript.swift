/// The Lua code of a service, for functions that take functions of Lua.
///
/// Functions never leave the machine of their module. A function that takes one is therefore
/// written in Lua, above functions in Swift, and declared with
/// ``ServiceFunction/scripted(_:_:_:kind:returns:)``.
///
/// The code is a library of the host: its lines don't appear in the places of errors. It returns a
/// function that gets the table of the service's functions, and a function
/// `fail(name, code, reason)`, which raises an error of the service. The function returns the table
/// that modules see.
package struct ServiceScript: Sendable {
  package let source: [UInt8]
  package let libraries: [String: [UInt8]]
  package let functions: [ServiceFunction]

  /// Declares the code of a service.
  ///
  /// `libraries` are further parts of the code, by the name after `moonwire.service.NAME.` in
  /// `require`. `functions` are only for the code.
  package init(
    _ source: [UInt8], libraries: [String: [UInt8]] = [:], functions: [ServiceFunction] = []
  ) {
    self.source = source
    self.libraries = libraries
    self.functions = functions
  }
}

extension ServiceFunction {
  /// Declares a function that the service's ``ServiceScript`` has.
  ///
  /// `kind` says where it may be called.
  package static func scripted(
    _ name: String, _ summary: String, _ parameters: [ParameterFacts], kind: Kind,
    returns: String = ""
  ) -> ServiceFunction {
    ServiceFunction(name, summary, kind, parameters, returns: returns, .script)
  }
}

extension ParameterFacts {
  /// A parameter of a scripted function.
  package static func required(
    _ name: String, type: String, _ summary: String = ""
  ) -> ParameterFacts {
    ParameterFacts(name: name, type: type, summary: summary, takesTable: true, takesList: false)
  }

  /// A parameter of a scripted function that may be left out.
  package static func optional(
    _ name: String, type: String, _ summary: String = ""
  ) -> ParameterFacts {
    required(name, type: type, summary).with(.optional)
  }
}
