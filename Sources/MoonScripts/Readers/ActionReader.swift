import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `actions = { add = { "Adds to the count", by = "integer?" } }`.
  static let actions = KeyReader("actions", countMax: 10_000) { reader, form, module in
    module.actions = reader.declarations(form)
  }
}

extension ModuleReader {
  fileprivate mutating func declarations(_ forms: Form) -> [ActionDeclaration] {
    ownEntries(of: forms, key: "actions", what: "action", expected: "a table of actions")
      .compactMap { name, declared in declaration(name, declared, key: "actions.\(name)") }
  }

  /// Returns the entries of a table by names that actions of the module may have, and notes the
  /// others.
  mutating func ownEntries(
    of table: Form, key: String, what: String, expected: String
  ) -> [(name: String, value: Form)] {
    form.noteUnnamed(in: table, key: key, what: what)
    guard let entries = table.fields else {
      if table.elements == nil {
        form.note(.wrongKind(key: key, expected: expected, found: table.kind), key: key)
      }
      return []
    }
    return entries.filter { name, _ in
      let type = "\(generation.name)/\(name)"
      if ModuleName.announced.contains(type) {
        form.note(.announcedAction(type), key: "\(key).\(name)")
        return false
      }
      let own = ActionPattern.exact(Text("\(generation.name)/\(name)"))
      guard ActionPattern(name, owner: generation.name.text) != own else { return true }
      form.note(.invalidPattern(key: key, text: name), key: "\(key)[\"\(name)\"]")
      return false
    }.map { ($0.0, $0.1) }
  }

  /// Reads a description and the types of fields; `isOther` says whether an entry is none of these.
  mutating func declaration(
    _ name: String, _ declared: Form, key: String,
    except isOther: (_ name: String, _ value: Form) -> Bool = { _, _ in false }
  ) -> ActionDeclaration? {
    if case .value(.string(let text)) = declared {
      var declaration = ActionDeclaration(name, description: text.string)
      declaration.place = form.place(of: key)
      return declaration
    }
    guard declared.fields != nil || declared.elements != nil else {
      form.note(
        .wrongKind(key: key, expected: "a table of fields or a sentence", found: declared.kind),
        key: key)
      return nil
    }
    var description: String?
    var fields: [PayloadSchema.Field] = []
    for (component, value) in declared.components {
      switch component {
      case .int(1): description = form.string(value, key: "\(key)[1]")
      case .int(let index):
        form.note(
          .wrongKind(key: "\(key)[\(index)]", expected: "a name for each field", found: "none"),
          key: key)
      case .string(let field) where isOther(field.string, value): continue
      case .string(let field):
        if let field = form.field(field.string, value, key: "\(key).\(field)") {
          fields.append(field)
        }
      }
    }
    var declaration = ActionDeclaration(
      name, description: description, schema: PayloadSchema(fields: fields))
    declaration.place = form.place(of: key)
    return declaration
  }
}
