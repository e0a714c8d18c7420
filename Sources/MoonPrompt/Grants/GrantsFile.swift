import Glibc
package import Moonwire

/// The file with a person's grants to modules, outside the script directories.
///
/// It is one JSON object: for each script directory, the rules of each module, or of all under `*`:
///
/// ```json
/// {"/srv/app": {"*": {"allow": ["storage"]}, "weather": {"allow": ["net:api.example.com"]}}}
/// ```
///
/// The path of a directory may be any that leads to it, such as that of a symbolic link.
package struct GrantsFile {
  /// The path.
  package let path: String

  /// The maximum size of the file in bytes.
  static let byteCountMax = 1 << 20

  /// The file of the person that runs the program; nil if there is no place for it.
  package static var personal: GrantsFile? { GrantsFile(ProcessEnvironment.variables) }

  /// Returns the file according to the XDG base directories; nil for none.
  ///
  /// `MOONWIRE_GRANTS` names another file, or none if it is empty.
  init?(_ environment: [String: String]) {
    let found = PersonalFile.path("grants.json", variable: "MOONWIRE_GRANTS", in: environment)
    guard let found else { return nil }
    path = found
  }

  /// Returns the rules for a script directory; none if there is no file.
  ///
  /// - Throws: ``GrantsFileError``.
  package func grants(for directory: String) throws(GrantsFileError) -> Grants {
    var grants = Grants()
    let all = try contents()
    for key in PersonalFile.keys(for: directory, in: all) {
      guard let modules = all[key]?.mapValue else { throw .notTables("\(key)") }
      try read(modules, into: &grants)
    }
    return grants
  }

  private func read(_ modules: Map, into grants: inout Grants) throws(GrantsFileError) {
    for (key, rules) in modules {
      let module = try Self.module("\(key)")
      guard let rules = rules.mapValue else { throw .notTables("\(key)") }
      for (kind, scopes) in rules {
        let scopes = try Self.scopes(scopes, "\(kind)")
        switch "\(kind)" {
        case "allow": grants.allowed += scopes.map { Grants.Rule($0, for: module) }
        case "deny": grants.denied += scopes.map { Grants.Rule($0, for: module, in: path) }
        default: throw .unknownKey("\(kind)")
        }
      }
    }
  }

  /// Adds a grant for a script directory, and replaces the file atomically.
  ///
  /// - Throws: ``GrantsFileError``; the file is then unchanged.
  package func add(_ rule: Grants.Rule, for directory: String) throws(GrantsFileError) {
    var all = try contents()
    let key =
      PersonalFile.keys(for: directory, in: all).first
      ?? .string(Text(PersonalFile.resolved(directory)))
    var modules = all[key]?.mapValue ?? Map()
    let name = Text(rule.module?.text ?? "*")
    var rules = modules[.string(name)]?.mapValue ?? Map()
    let scopes = rules["allow"]?.listValue ?? List()
    let scope = Value.string(Text("\(rule.scope)"))
    guard !scopes.contains(scope) else { return }
    rules["allow"] = .list(List(Array(scopes) + [scope]))
    modules[.string(name)] = .map(rules)
    all[key] = .map(modules)
    try write(all)
  }

  /// Removes a grant for a script directory, if the file has it, and replaces the file atomically.
  ///
  /// - Throws: ``GrantsFileError``; the file is then unchanged.
  package func remove(_ rule: Grants.Rule, for directory: String) throws(GrantsFileError) {
    var all = try contents()
    let before = Value.map(all)
    let (name, scope) = (Text(rule.module?.text ?? "*"), Value.string(Text("\(rule.scope)")))
    for key in PersonalFile.keys(for: directory, in: all) {
      guard var modules = all[key]?.mapValue, var rules = modules[.string(name)]?.mapValue,
        let scopes = rules["allow"]?.listValue
      else { continue }
      rules["allow"] = .list(List(scopes.filter { $0 != scope }))
      modules[.string(name)] = .map(rules)
      all[key] = .map(modules)
    }
    if .map(all) != before { try write(all) }
  }

  /// The rules that keep modules from writing the file, whatever they may write otherwise.
  package var denials: [Grants.Rule] { PersonalFile.denials(of: path) }

  private static func module(_ name: String) throws(GrantsFileError) -> ModuleName? {
    if name == "*" { return nil }
    guard let module = ModuleName(name) else { throw .notAModule(name) }
    return module
  }

  private static func scopes(_ value: Value, _ key: String) throws(GrantsFileError) -> [Scope] {
    guard let texts = value.listValue else { throw .notAList(key) }
    var scopes: [Scope] = []
    for text in texts {
      guard let text = text.stringValue else { throw .notAList(key) }
      do throws(ScopeError) {
        scopes.append(try Scope(parsing: text))
      } catch {
        throw .scope(text, error)
      }
    }
    return scopes
  }

  // MARK: The file

  private func contents() throws(GrantsFileError) -> Map {
    guard let bytes = try read()?.withoutByteOrderMark else { return Map() }
    let value: Value
    do throws(ParseError) { value = try Value(parsing: bytes) } catch { throw .notJSON(error) }
    guard let map = value.mapValue else { throw .notTables("the file") }
    return map
  }

  /// Returns the contents; nil if there is no file.
  private func read() throws(GrantsFileError) -> [UInt8]? {
    do throws(SystemError) {
      return try WholeFile.bytes(of: path, upTo: Self.byteCountMax)
    } catch {
      switch error.code {
      case ENOENT: return nil
      case EFBIG: throw .tooLong
      default: throw .system(code: error.code)
      }
    }
  }

  private func write(_ all: Map) throws(GrantsFileError) {
    do throws(SystemError) {
      try PrivateFile.replace(path, with: Array(Self.text(of: all).utf8))
    } catch {
      throw .system(code: error.code)
    }
  }

  /// Returns the JSON text, with a line for each directory.
  private static func text(of all: Map) -> String {
    let lines = all.map { key, value in
      "  \(Value.string(Text("\(key)")).canonicalText): \(value.canonicalText)"
    }
    return "{\n\(lines.joined(separator: ",\n"))\n}\n"
  }
}

/// The reason that the file of grants can't be read or written.
package enum GrantsFileError: Error, Equatable {
  /// The system refuses; `code` is its `errno`.
  case system(code: Int32)
  /// The file is too long.
  case tooLong
  /// The file isn't JSON.
  case notJSON(ParseError)
  /// A table is something else.
  case notTables(String)
  /// A list of scopes is something else.
  case notAList(String)
  /// A key isn't the name of a module.
  case notAModule(String)
  /// A key is neither `allow` nor `deny`.
  case unknownKey(String)
  /// A text isn't a scope.
  case scope(String, ScopeError)
}

extension GrantsFileError: CustomStringConvertible {
  /// One phrase: what is wrong, and the correct form.
  package var description: String {
    switch self {
    case .system(let code): "\(SystemError(code: code))"
    case .tooLong: "it is longer than \(GrantsFile.byteCountMax >> 20) MB"
    case .notJSON(let error): "it isn't JSON: \(error)"
    case .notTables(let name):
      "'\(name)' must hold a table: {\"DIRECTORY\": {\"MODULE\": {\"allow\": [\"SCOPE\"]}}}"
    case .notAList(let key): "'\(key)' must be a list of scopes, as in [\"storage\"]"
    case .notAModule(let name): "'\(name)' can't be a module's name; * stands for all"
    case .unknownKey(let key): "there is no '\(key)': write allow or deny"
    case .scope(let text, let error): "'\(text)': \(error)"
    }
  }
}
