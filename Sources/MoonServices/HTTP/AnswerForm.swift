import Moonwire

/// The form in which a script wants a whole answer.
struct AnswerForm {
  /// What the body must be; nil if its type says what it is.
  enum Body: String { case json, text }

  let body: Body?
  /// Whether nulls in JSON are left out.
  let leavesOutNulls: Bool

  init(_ accept: String?, _ null: String?) {
    body = accept.flatMap { Body(rawValue: $0) }
    leavesOutNulls = null != nil
  }
}

/// A whole answer, as scripts receive it.
extension HTTPNetwork.Reply<HTTPNetwork.Whole> {
  /// Whether the status says that the request was successful.
  private var isSuccess: Bool { (200...299).contains(head.status) }

  /// Returns the fields for a script.
  ///
  /// `json` is present if the type says that the body is JSON, unless the script wants a text; or
  /// in place of `text`, if it wants JSON. The URL doesn't have the secrets of the caller's module.
  ///
  /// - Throws: ``HTTPFailure/notJSON(_:status:reason:)``, only for a successful answer, so a script
  ///   gets the status of others.
  func result(_ form: AnswerForm, for call: ServiceCall) throws(HTTPFailure) -> ServiceResult {
    let json = try form.body == .text ? .nothing : json(form)
    var text = ServiceResult.bytes(body.bytes)
    if form.body == .json, case .value = json { text = .nothing }
    return .fields([
      ("status", .integer(head.status)), ("ok", .boolean(isSuccess)),
      ("url", .string(call.hidingSecrets(in: address.text))), ("headers", .headers(head.headers)),
      ("text", text), ("json", json),
    ])
  }

  private func json(_ form: AnswerForm) throws(HTTPFailure) -> ServiceResult {
    let type = head.headers.mediaType
    let claims = type.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false
    guard form.body == .json || (claims && !body.bytes.isEmpty) else { return .nothing }
    do throws(JSONFailure) {
      let value = try JSONText.value(of: body.bytes)
      return .value(form.leavesOutNulls ? JSONText.withoutNulls(value) : value)
    } catch {
      guard isSuccess else { return .nothing }
      throw .notJSON(
        address.place, status: head.status,
        reason: body.bytes.isEmpty
          ? "it is empty" : error.reason + (claims ? "" : " (its type is \(type ?? "unknown"))"))
    }
  }
}

extension HTTPHeaders {
  /// The type of the body without parameters, in lowercase.
  var mediaType: String? {
    guard let text = first("content-type") else { return nil }
    let type = text.prefix { $0 != ";" && $0 != "," }.lowercased()
    return type.split(separator: " ").first.map(String.init)
  }
}

extension ServiceResult {
  /// The headers by their names in lowercase.
  ///
  /// Values of one name are joined by commas (RFC 9110 §5.3), except for cookies, which are a list.
  static func headers(_ headers: HTTPHeaders) -> ServiceResult {
    let entries = headers.fields.map { field in
      (Key.string(Text(field.name.lowercased())), Value.string(Text(field.value)))
    }
    var map = Map(entries)
    if map.count == entries.count, map[cookies] == nil { return .value(.map(map)) }
    map = Map()
    // Separate, so many values of one name are joined at once.
    var others: [Key: [String]] = [:]
    for field in headers.fields {
      let key = Key.string(Text(field.name.lowercased()))
      if map[key] == nil {
        map[key] = .string(Text(field.value))
      } else {
        others[key, default: []].append(field.value)
      }
    }
    if let first = map[cookies]?.stringValue {
      let all = [first] + (others.removeValue(forKey: cookies) ?? [])
      map[cookies] = .list(List(all.map { .string(Text($0)) }))
    }
    for (key, values) in others {
      let all = [map[key]?.stringValue ?? ""] + values
      map[key] = .string(Text(all.joined(separator: ", ")))
    }
    return .value(.map(map))
  }

  private static let cookies: Key = "set-cookie"
}
