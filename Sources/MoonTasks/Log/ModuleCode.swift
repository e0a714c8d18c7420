package import MoonValues

/// The code of a module in service.
package struct ModuleCode {
  package let generation: Int
  package let file: String
  /// The hashes of the files by their paths.
  package let files: Map
  /// The contents of the files by hash.
  package let contents: Map

  package init(generation: Int, file: String, files: Map, contents: Map) {
    self.generation = generation
    self.file = file
    self.files = files
    self.contents = contents
  }
}
