import Foundation
import Testing

/// A file of the package, with its path relative to the root.
struct SourceFile: CustomTestStringConvertible, Sendable {
  let path: String
  let text: String

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  var testDescription: String { path }
  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  /// The folders of sources that hold several targets.
  private static let groups: Set<Substring> = ["Measuring"]
  /// The target, which has the name of its folder.
  var target: String {
    let folders = path.split(separator: "/").dropFirst().drop { Self.groups.contains($0) }
    return String(folders.first ?? "")
  }
  var name: String { String(path.split(separator: "/").last ?? "") }
  var stem: String { String(name.prefix { $0 != "." }) }

  /// The modules named in import lines, whatever their access level.
  var imports: Set<String> {
    Set(
      lines.compactMap { line in
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
          words[..<index].allSatisfy({
            ["public", "package", "private", "@_exported", "@testable"].contains($0)
          })
        else { return nil }
        return String(words[index + 1].prefix { $0 != "." })
      })
  }

  static func all(under folder: String, endings: [String] = [".swift"]) -> [SourceFile] {
    let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    return (files?.compactMap { $0 as? String } ?? [])
      .filter { name in endings.contains { name.hasSuffix($0) } }
      .sorted()
      .compactMap { name in
        let path = "\(folder)/\(name)"
        guard let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
        else { return nil }
        return SourceFile(path: path, text: text)
      }
  }
}
