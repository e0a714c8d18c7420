import CMoonTemplates

/// What a new app begins with.
package enum AppTemplate: String, CaseIterable, Sendable {
  /// One module with a screen.
  case minimal
  /// Two modules in tabs, and a library.
  case tabs
  /// A module without screens, for `moonwire serve`.
  case service
}

/// What a new module begins with.
package enum ModuleTemplate: String, CaseIterable, Sendable {
  /// State, actions and reducers.
  case module
  /// A route and a view as well.
  case screen
}

/// The templates, which the program has in itself.
enum TemplateFiles {
  /// The folder whose files every new app has.
  static let inEachApp = "shared"

  /// Returns the files of a template's folder.
  static func files(in folder: String) -> [NewFile] {
    var count = 0
    let all = UnsafeBufferPointer(start: mtemplatefiles(&count), count: count)
    return all.filter { String(cString: $0.folder) == folder }.map {
      let bytes = UnsafeBufferPointer(start: $0.text, count: $0.length)
      return NewFile(String(cString: $0.path), Array(bytes))
    }
  }
}
