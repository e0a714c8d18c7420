import MoonFiles
import Moonwire

/// What an assistant can read: the scripts of an app, and the guides.
struct MCPResources: Sendable {
  private static let scripts = "moonwire:///"
  private static let guides = "moonwire://guides/"

  /// The script directory.
  let directory: String

  /// All resources, as `resources/list` has them.
  var list: [Value] {
    scripts.map { Self.resource(Self.scripts + $0, $0, "text/x-lua") }
      + Guide.all.map { Self.resource(Self.guides + $0.name, $0.name, "text/markdown") }
  }

  /// Returns the contents of a resource, as `resources/read` has them; nil if there is none.
  func contents(of uri: String) -> Value? {
    // Only what is listed is read, whatever the text of the name.
    if let script = scripts.first(where: { Self.scripts + $0 == uri }),
      let bytes = try? WholeFile.bytes(
        of: "\(directory)/\(script)", upTo: ScriptDirectory.fileSizeMax)
    {
      return Self.contents(uri, "text/x-lua", String(decoding: bytes, as: UTF8.self))
    }
    guard let guide = Guide.all.first(where: { Self.guides + $0.name == uri }) else { return nil }
    return Self.contents(uri, "text/markdown", guide.text)
  }

  /// The paths of the scripts, from the directory; none if it can't be read.
  private var scripts: [String] {
    (try? ScriptDirectory(root: directory).scan())?.entries.map(\.path) ?? []
  }

  private static func resource(_ uri: String, _ name: String, _ type: String) -> Value {
    ["uri": .string(Text(uri)), "name": .string(Text(name)), "mimeType": .string(Text(type))]
  }

  private static func contents(_ uri: String, _ type: String, _ text: String) -> Value {
    [
      "uri": .string(Text(uri)), "mimeType": .string(Text(type)), "text": .string(Text(text)),
    ]
  }
}
