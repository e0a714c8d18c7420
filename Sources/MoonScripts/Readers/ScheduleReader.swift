import MoonActions
import MoonLua
import MoonModules
import MoonServiceKit
import MoonValues

extension KeyReader {
  /// Reads `schedules = { refresh = { every = 300 }, warn = { after = 10, payload = { n = 1 } } }`.
  static let schedules = KeyReader("schedules") { reader, form, module in
    for (name, form) in reader.form.entries(form, key: "schedules", of: "a table of schedules") {
      if let schedule = reader.form.schedule(name, form) { module.schedules.append(schedule) }
    }
  }
}

extension FormReader {
  fileprivate mutating func schedule(_ name: String, _ table: Form) -> Schedule? {
    let key = "schedules[\"\(name)\"]"
    guard let action = Action(script: .string(Text(name)), owner: module.text) else {
      note(.invalidPattern(key: "schedules", text: name), key: key)
      return nil
    }
    let fields = fields(of: table, key: key, known: ["after", "every", "payload"])
    let place = SourcePlace(file: file, line: line(of: key))
    let problemCount = problems.count
    let after = duration(fields["after"], key: "\(key).after", atLeast: 0)
    let every = duration(
      fields["every"], key: "\(key).every", atLeast: Schedule.intervalMin / .seconds(1))
    let payload = value(fields["payload"], key: "\(key).payload") ?? .null
    guard problems.count == problemCount, table.fields != nil else { return nil }
    let schedule = Schedule(
      Action(action.type, payload), after: after, every: every, place: place)
    if schedule == nil {
      note(
        .wrongKind(
          key: key, expected: "a table with every or after, in seconds", found: "without both"),
        key: key)
    }
    return schedule
  }
}
