import Moonwire

/// Every sentence that the command says to people.
enum Messages {
  /// Says `1 module`, `2 modules`.
  static func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(count == 1 ? word : plural(word))"
  }

  /// Says `once`, `5 times`.
  static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

  /// Says `1.8 ms`, `25 ms`, `2.1 s`.
  static func time(_ duration: Duration) -> String {
    let microseconds = duration.microseconds
    if microseconds < 10_000 { return "\(tenths(microseconds, of: 1_000)) ms" }
    if microseconds < 1_000_000 { return "\(microseconds / 1_000) ms" }
    return "\(tenths(microseconds, of: 1_000_000)) s"
  }

  /// Says `820 B`, `12 KB`, `1.2 MB`, `640 MB`.
  static func size(_ bytes: Int) -> String {
    let (kilo, mega) = (1 << 10, 1 << 20)
    if bytes < kilo { return "\(bytes) B" }
    if bytes < mega { return "\(bytes / kilo) KB" }
    if bytes < 100 * mega, bytes % mega != 0 {
      return "\(tenths(Int64(bytes), of: Int64(mega))) MB"
    }
    return "\(bytes / mega) MB"
  }

  /// Says `3,400`.
  static func grouped(_ count: Int) -> String {
    let digits = Array(String(count))
    return digits.indices.map { index in
      let left = digits.count - index
      return (index > 0 && left % 3 == 0 ? "," : "") + String(digits[index])
    }.joined()
  }

  /// Says `a, b and c`.
  static func list(_ words: [String], _ last: String = "and") -> String {
    guard let end = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) " + end
  }

  /// A question, if there is something to ask.
  static func suggestion(_ nearest: String?) -> Report.Row? {
    nearest.map { Report.Row("help", "did you mean \($0)?") }
  }

  /// Says `integer, optional`.
  static func type(of field: PayloadSchema.Field) -> String {
    "\(field.type)" + (field.isOptional ? ", optional" : "")
  }

  /// What a value is, and how large, in a few words.
  static func size(of value: Value) -> String {
    switch value {
    case .list(let list): counted(list.count, "value")
    case .map(let map): counted(map.count, "entry")
    default: value.canonicalText.count > 30 ? "text" : value.canonicalText
    }
  }

  /// Who dispatched.
  static func origin(_ cause: Cause) -> String {
    switch cause {
    case .prompt: "from the prompt"
    case .commandLine: "from the command line"
    case .native: "from the program"
    case .host: "from the host"
    case .screen(let id): "from screen \(id)"
    case .module(let name, let kind): "from \(article(kind)) of module \(name)"
    }
  }

  private static func article(_ kind: RegistrationKind) -> String {
    switch kind {
    case .observer, .action, .optionProvider, .viewExtension: "an \(kind.rawValue)"
    case .onStart, .onRestore, .onStop, .migrate, .load, .middleware: kind.rawValue
    case .unmatched: "the unmatched handler"
    case .reducer, .route, .handler, .routingObserver, .presenter, .routingPresenter, .view,
      .lifecycle, .moduleMapper, .navigationMapper:
      "a \(kind.rawValue)"
    }
  }

  private static func plural(_ word: String) -> String {
    if word == "middleware" { return word }
    return word.hasSuffix("ry") ? word.dropLast() + "ies" : word + "s"
  }

  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = (number / unit) * 10 + ((number % unit) * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Duration {
  /// Whole microseconds, of a longer time as many as there can be.
  var microseconds: Int64 {
    // A tenth of what fits, so that tenths can be told.
    let (whole, isTooLong) = components.seconds.multipliedReportingOverflow(by: 10_000_000)
    guard !isTooLong else { return components.seconds < 0 ? .min / 10 : .max / 10 }
    return whole / 10 + components.attoseconds / 1_000_000_000_000
  }
}
