/// The files of a target, and which of them need others.
struct FileGraph {
  /// The paths of the files that each file needs, by its path.
  private(set) var uses: [String: Set<String>] = [:]

  init(of files: [ParsedFile]) {
    var homes: [String: String] = [:]
    for file in files {
      for type in file.declarations.all where type.kind != "extension" && !type.isPrivate {
        homes[type.name] = file.source.path
      }
    }
    for file in files { uses[file.source.path] = Self.used(by: file, homes) }
  }

  private init(uses: [String: Set<String>]) { self.uses = uses }

  /// The folders of the files, and which of them need others.
  var folders: FileGraph {
    var folders: [String: Set<String>] = [:]
    for (file, others) in uses {
      let folder = Self.folder(of: file)
      folders[folder, default: []].formUnion(others.map(Self.folder))
      folders[folder]?.remove(folder)
    }
    return FileGraph(uses: folders)
  }

  private static func folder(of file: String) -> String {
    String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
  }

  /// Makes the graph of files in C by their names without endings, so that a header belongs to its
  /// file.
  ///
  /// A file needs those whose headers it includes, and those whose functions it calls.
  init(ofC files: [SourceFile]) {
    let definition = /^(?!static |typedef |extern )[a-z][a-z0-9_ ]*[ *](moon_\w+)\([^;{]*\)\s*\{/
      .anchorsMatchLineEndings()
    var homes: [String: String] = [:]
    for file in files where file.name.hasSuffix(".c") {
      for match in file.text.matches(of: definition) { homes[String(match.1)] = file.stem }
    }
    for file in files {
      let included = file.lines.compactMap { line in
        line.wholeMatch(of: /#include "(\w+)\.h"/).map { String($0.1) }
      }
      // C's words, blanks and comments resemble Swift's enough. A header only declares.
      let isCode = file.name.hasSuffix(".c")
      let called = isCode ? ParsedFile(file).tokens.compactMap { homes[$0.text] } : []
      uses[file.stem, default: []].formUnion((included + called).filter { $0 != file.stem })
    }
  }

  private static func used(by file: ParsedFile, _ homes: [String: String]) -> Set<String> {
    let declared = file.declarations.all
    // Inside a type and its extensions, nested types go by their last name alone.
    let contexts = Set(declared.map(\.name)).flatMap { name in
      name.indices.filter { name[$0] == "." }.map { String(name[..<$0]) } + [name]
    }
    let own = Set(declared.map { $0.name.split(separator: ".").last.map(String.init) ?? "" })
    var used: Set<String> = []
    for (index, token) in file.tokens.enumerated() where token.isTypeName {
      guard index == 0 || file.tokens[index - 1].text != "." else { continue }
      let inner = contexts.map { "\($0).\(token.text)" }.filter { homes[$0] != nil }
      var names = inner.isEmpty && !own.contains(token.text) ? [token.text] : inner
      var next = index + 1
      while next + 1 < file.tokens.count, file.tokens[next].text == "." {
        names += names.map { "\($0).\(file.tokens[next + 1].text)" }
        next += 2
      }
      used.formUnion(names.compactMap { homes[$0] })
    }
    // An extension needs the file of the type that it extends.
    used.formUnion(declared.compactMap { homes[$0.name] })
    return used.subtracting([file.source.path])
  }

  /// The groups of two or more files that reach each other, the largest first.
  var circles: [[String]] {
    var search = CircleSearch(uses: uses)
    return search.all().filter { $0.count > 1 }.sorted { $0.count > $1.count }
  }
}

/// Tarjan's search for the strongly connected components of a graph ("Depth-first search and linear
/// graph algorithms", 1972).
private struct CircleSearch {
  let uses: [String: Set<String>]
  private var numbers: [String: Int] = [:]
  private var lowest: [String: Int] = [:]
  private var stack: [String] = []
  private var open: Set<String> = []
  private var found: [[String]] = []

  init(uses: [String: Set<String>]) { self.uses = uses }

  mutating func all() -> [[String]] {
    for file in uses.keys.sorted() where numbers[file] == nil { visit(file) }
    return found
  }

  private mutating func visit(_ file: String) {
    let number = numbers.count
    numbers[file] = number
    var low = number
    stack.append(file)
    open.insert(file)
    for other in uses[file, default: []].sorted() {
      if numbers[other] == nil { visit(other) }
      if open.contains(other) { low = min(low, lowest[other] ?? numbers[other] ?? low) }
    }
    lowest[file] = low
    guard low == number, let start = stack.lastIndex(of: file) else { return }
    found.append(stack[start...].sorted())
    open.subtract(stack[start...])
    stack.removeSubrange(start...)
  }
}
