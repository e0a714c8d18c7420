import Moonwire

/// The module and version of a slice that is put aside.
struct SliceName: Equatable, Sendable {
  let module: ModuleName
  let version: Int64

  /// Reads `todo 2`.
  ///
  /// - Throws: ``PromptLineError``
  init(parsing arguments: PromptScanner, of manual: CommandManual) throws(PromptLineError) {
    var arguments = arguments
    guard !arguments.isAtEnd else { throw arguments.error(.missingArgument(manual)) }
    let start = arguments.offset
    let word = arguments.word()
    guard let module = ModuleName(word) else {
      throw arguments.error(.notAModuleName(word), at: start)
    }
    arguments.skipSpace()
    let text = arguments.trimmedRest
    guard !text.isEmpty else { throw arguments.error(.missingArgument(manual)) }
    guard let version = Int64(text) else { throw arguments.error(.notAVersion(text)) }
    self.module = module
    self.version = version
  }
}
