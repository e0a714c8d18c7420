public import Moonwire

extension Service {
  /// Typed records, as `moon.entities`.
  ///
  /// The stores are written in Lua, so those in a table work on the state within reducers. Those in
  /// the storage use the service `storage`.
  public static let entities = Service(
    "entities", "Keeps typed records: in the state, in the storage, and wherever functions do.",
    functions: [
      .scripted(
        "kind", "Declares a kind of record: its name, fields, id and views.",
        [.required("declaration", type: "table")], kind: .pure, returns: "kind"),
      .scripted(
        "memory", "Makes a store in a table, which may be a part of the state.",
        [
          .required("kinds", type: "kind or kind[]"), .optional("data", type: "table"),
          .optional("options", type: "table", "`mode = \"w\"` refuses to read"),
        ], kind: .pure, returns: "store"),
      .scripted(
        "stored", "Makes a store in the module's storage, whose calls wait.",
        [.required("kinds", type: "kind or kind[]"), .optional("options", type: "table")],
        kind: .pure, returns: "store"),
      .scripted(
        "functional", "Makes a store of one kind from functions.",
        [
          .required("kind", type: "kind"),
          .required("functions", type: "table", "`put`, `delete` and `all`; `get` if there is one"),
          .optional("options", type: "table"),
        ], kind: .pure, returns: "store"),
      .scripted(
        "composed", "Makes a store of others; the first that has a kind is used for it.",
        [.required("stores", type: "list", "Stores, or `{ store, priority = 1 }`")], kind: .pure,
        returns: "store"),
    ],
    script: ServiceScript(
      PackageResources.entities_lua,
      libraries: ["kinds": PackageResources.kinds_lua, "stores": PackageResources.stores_lua],
      functions: EntityShape.functions))
}

/// The checks of records, for `stores.lua`.
enum EntityShape {
  static let functions: [ServiceFunction] = [
    .pure("copy", "Returns a copy of a record.", .any("record")) { _, record in .value(record) },
    .pure(
      "checked", "Returns a copy of a record, or nothing and its problems.", .any("record"),
      .optional(.map("fields"))
    ) { _, record, fields in
      guard let fields, let schema = schema(fields) else { return .value(record) }
      let record = schema.withoutNulls(record)
      let problems = schema.problems(in: record)
      guard !problems.isEmpty else { return .value(record) }
      return .several([
        .nothing, .string(problems.map(\.description).joined(separator: "; ")),
      ])
    },
    .pure(
      "problem_of_fields", "Returns what is wrong with the types of fields.", .map("fields")
    ) { _, fields in .string(problem(in: fields)) },
    .pure(
      "nearest", "Returns the name with a similar spelling.", .string("name"), .strings("names")
    ) { _, name, names in .string(Spelling.nearest(to: name, in: names)) },
  ]

  /// Returns the schema for the types of fields; nil if one isn't a type.
  private static func schema(_ fields: Map) -> PayloadSchema? {
    var read: [PayloadSchema.Field] = []
    for (key, type) in fields {
      guard case .string(let name) = key,
        let field = try? PayloadSchema.Field(name.string, declared: type)
      else { return nil }
      read.append(field)
    }
    return PayloadSchema(fields: read)
  }

  private static func problem(in fields: Map) -> String? {
    for (key, type) in fields {
      guard case .string(let name) = key else {
        return "its fields are names with types, as in { title = \"string\" }"
      }
      do throws(FieldTypeError) {
        _ = try PayloadSchema.Field(name.string, declared: type)
      } catch {
        let found =
          switch error.found {
          case .text(let text): "'\(text)'"
          case .kind(let kind): kind
          }
        return "\(found) isn't a type for '\(name.string)\(error.path)': write "
          + PayloadSchema.FieldType.advice
      }
    }
    return nil
  }
}
