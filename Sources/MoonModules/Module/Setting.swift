package import MoonActions
public import MoonServiceKit
public import MoonValues

/// A setting that a module declares: something that the person who runs the host tells it.
public struct Setting: Sendable, Equatable {
  /// The name in the module.
  public let name: String
  /// The type of the value, and whether it may be missing.
  package let field: PayloadSchema.Field
  /// The value if none is given.
  package let standard: Value?
  /// Whether the value is a secret, which scripts can pass to services and nothing else.
  public let isSecret: Bool
  /// The meaning, in one phrase.
  package let summary: String?

  /// Declares a setting with a type in the words of payload schemas, such as `string` or
  /// `integer?`; nil if that is no type.
  package init?(
    _ name: String, type: String, standard: Value? = nil, isSecret: Bool = false,
    summary: String? = nil
  ) {
    guard let field = PayloadSchema.Field(name: name, type: type) else { return nil }
    self.init(field, standard: standard, isSecret: isSecret, summary: summary)
  }

  /// Declares a setting with the name and the type of a field.
  package init(
    _ field: PayloadSchema.Field, standard: Value? = nil, isSecret: Bool = false,
    summary: String? = nil
  ) {
    name = field.name
    self.field = field
    self.standard = standard
    self.isSecret = isSecret
    self.summary = summary
  }

  /// The variable of the environment that gives the setting of a module:
  /// `MOONWIRE_WEATHER_API_KEY` for `apiKey` of `weather`.
  ///
  /// It is in capitals, with a `_` before each capital that follows a small letter, and for each
  /// character that is neither a letter nor a number.
  package func variable(of module: ModuleName) -> String {
    Self.variable(of: module.text, name)
  }

  fileprivate static func variable(of module: String, _ setting: String) -> String {
    let words = [module, setting].map { name in
      var (word, wasSmall) = ("", false)
      for character in name {
        if wasSmall, character.isUppercase { word.append("_") }
        wasSmall = character.isLowercase
        word.append(character)
      }
      return String(word.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }
    return "MOONWIRE_" + words.joined(separator: "_")
  }

  /// Returns a value without the optional fields in it that are null.
  fileprivate func withoutNulls(_ value: Value) -> Value {
    let key = Key.string(Text(name))
    return PayloadSchema(fields: [field]).withoutNulls(.map([key: value]))[name] ?? value
  }

  /// Checks a value.
  ///
  /// - Throws: ``SettingError/wrongType(_:type:found:origin:)``.
  package func check(_ value: Value, from origin: String?) throws(SettingError) {
    let problems = PayloadSchema(fields: [field]).problems(
      in: .map([.string(Text(name)): value]))
    guard problems.isEmpty else {
      throw .wrongType(
        name, type: "\(field.type)", found: isSecret ? "something else" : value.canonicalText,
        origin: origin)
    }
  }

  /// Returns the value of a text, as given on the command line or in the environment.
  ///
  /// The text itself if that is allowed, or else the value of its JSON.
  ///
  /// - Throws: ``SettingError/wrongType(_:type:found:origin:)``.
  package func value(of text: String, from origin: String) throws(SettingError) -> Value {
    let plain = Value.string(Text(text))
    let isText = (try? check(plain, from: origin)) != nil
    let value = isText ? plain : withoutNulls((try? Value(parsing: text)) ?? plain)
    try check(value, from: origin)
    return value
  }
}

/// The source of settings: what the person who runs the host tells modules.
public struct SettingSource: Sendable {
  /// A setting as it is given.
  public struct Given: Sendable, Equatable {
    /// The form of a given setting.
    public enum Content: Sendable, Equatable {
      case value(Value)
      /// A text that may stand for a number, a boolean or a list.
      case text(String)
    }

    /// The content.
    public let content: Content
    /// What gives it, such as `--set` or a file, for messages.
    public let origin: String

    /// Whether it is null, and the setting may be missing or has a value of its own.
    fileprivate func isNothing(for setting: Setting) -> Bool {
      content == .value(.null) && (setting.field.isOptional || setting.standard != nil)
    }

    /// Makes a given setting.
    public init(_ content: Content, from origin: String) {
      self.content = content
      self.origin = origin
    }
  }

  private let read: @Sendable (ModuleName, Setting) -> Given?

  /// Makes a source of a function that returns what is given for a module's setting; nil for
  /// nothing.
  public init(_ read: @escaping @Sendable (ModuleName, Setting) -> Given?) { self.read = read }

  /// A source that gives nothing.
  public static let none = SettingSource { _, _ in nil }

  /// Returns a source that gives recorded values of a module, by name, and secrets as this one.
  package func repeating(_ recorded: Value) -> SettingSource {
    SettingSource { [read] module, setting in
      if setting.isSecret { return read(module, setting) }
      return recorded[setting.name].map { Given(.value($0), from: "the recording") }
    }
  }

  /// Returns the values of a module's settings.
  ///
  /// - Throws: ``SettingError`` for the first that is missing or wrong, or that can't be told from
  ///   another one in the environment.
  package func values(
    of settings: [Setting], in module: ModuleName
  ) throws(SettingError) -> SettingValues {
    var values = SettingValues()
    var variables: [String: String] = [:]
    for setting in settings {
      let variable = setting.variable(of: module)
      if let other = variables.updateValue(setting.name, forKey: variable) {
        throw .sameVariable(setting.name, variable: variable, other: "'\(other)'")
      }
      let value: Value
      if let given = read(module, setting), !given.isNothing(for: setting) {
        switch given.content {
        case .text(let text): value = try setting.value(of: text, from: given.origin)
        case .value(let found):
          value = setting.withoutNulls(found)
          try setting.check(value, from: given.origin)
        }
      } else if let standard = setting.standard {
        value = standard
      } else if setting.field.isOptional {
        continue
      } else {
        throw .missing(setting.name, type: "\(setting.field.type)", module: module.text)
      }
      values.set(setting, value)
    }
    return values
  }
}

/// The values of a module's settings.
package struct SettingValues: Sendable, Equatable {
  /// The values that aren't secret.
  package private(set) var open = Map()
  /// The texts of the secrets by name.
  package private(set) var secrets: [String: String] = [:]

  package init() {}

  fileprivate mutating func set(_ setting: Setting, _ value: Value) {
    if setting.isSecret {
      secrets[setting.name] = value.stringValue ?? value.canonicalText
    } else {
      open[.string(Text(setting.name))] = value
    }
  }

  /// Returns a setting with its value, nil for a secret's, and whether it is given.
  package func entry(of setting: Setting) -> (setting: Setting, value: Value?, isGiven: Bool) {
    let value = open[.string(Text(setting.name))]
    return (setting, value, value != nil || secrets[setting.name] != nil)
  }

  /// Returns the names of the settings that differ from others, sorted.
  package func names(differingFrom other: SettingValues) -> [String] {
    let keys = Set(open.map { "\($0.key)" } + other.open.map { "\($0.key)" })
    let names = keys.filter { open[.string(Text($0))] != other.open[.string(Text($0))] }
    let hidden = Set(secrets.keys).union(other.secrets.keys).filter {
      secrets[$0] != other.secrets[$0]
    }
    return names.union(hidden).sorted()
  }
}

/// The settings of a module: what it declares, and the values.
///
/// A change of a value needs no reload, so a module holds a reference. Confined to the host.
package final class ModuleSettings {
  package let declared: [Setting]
  package var values: SettingValues

  package init(_ declared: [Setting], _ values: SettingValues) {
    self.declared = declared
    self.values = values
  }

  /// Reads the values again; returns the names of those that have changed.
  ///
  /// - Throws: ``SettingError``; all values stay then.
  package func update(
    from source: SettingSource, of module: ModuleName
  ) throws(SettingError) -> [String] {
    let former = values
    values = try source.values(of: declared, in: module)
    return values.names(differingFrom: former)
  }
}

/// The reason that a module's settings can't be used.
public enum SettingError: Error, Sendable, Equatable {
  /// A setting that must be given isn't.
  case missing(String, type: String, module: String)
  /// A value has another type; `origin` is what gives it, or nil for the module itself.
  case wrongType(String, type: String, found: String, origin: String?)
  /// Another setting has the same variable of the environment; `other` is that setting.
  case sameVariable(String, variable: String, other: String)

  /// The name of the setting.
  package var name: String {
    switch self {
    case .missing(let name, _, _), .wrongType(let name, _, _, _), .sameVariable(let name, _, _):
      name
    }
  }
}

extension SettingError: CustomStringConvertible {
  /// One phrase: the setting, and what is wrong with it.
  public var description: String {
    switch self {
    case .missing(let name, let type, let module):
      "'\(name)' isn't given (\(type)): --set \(module).\(name)=… gives it, or "
        + "\(Setting.variable(of: module, name)) in the environment"
    case .sameVariable(let name, let variable, let other):
      "'\(name)' would be read from \(variable) in the environment, as \(other) would: rename one "
        + "of them"
    case .wrongType(let name, let type, let found, let origin):
      "'\(name)' must be \(type), not \(found)" + (origin.map { ", which \($0) gives" } ?? "")
    }
  }
}
