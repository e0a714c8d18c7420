package import MoonValues

/// The code of a module in service.
package struct ModuleCode {
  let generation: Int
  let file: String
  /// The hashes of the files by their paths.
  let files: Map
  /// The contents of the files by hash.
  let contents: Map

  package init(generation: Int, file: String, files: Map, contents: Map) {
    self.generation = generation
    self.file = file
    self.files = files
    self.contents = contents
  }
}
