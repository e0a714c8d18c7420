import Moonwire

extension Messages {
  /// What is wrong with a module's files.
  ///
  /// `running`: the generation that stays in service.
  static func problems(_ problems: [ModuleProblem], running: Int?) -> [Report] {
    problems.enumerated().map { index, problem in
      var report = Messages.problem(problem)
      guard index == problems.count - 1, let module = problem.module else { return report }
      report.rows.append(
        .init(
          "meanwhile",
          running.map { "generation \($0) of \(module) stays in service" }
            ?? "\(module) isn't in service"))
      return report
    }
  }

  /// One thing that is wrong with a module's files.
  static func problem(_ problem: ModuleProblem) -> Report {
    let module = problem.module.map { "module \($0)" } ?? "the file"
    let place = problem.place
    switch problem.reason {
    case .fault(let fault):
      let registration = fault.registration
      guard registration.kind == .load else { return Messages.fault(fault) }
      var report = Messages.fault(fault)
      report.headline =
        switch fault.reason {
        case .raised: "\(module) can't be loaded"
        default: report.headline
        }
      return report
    case .invalidName(let name):
      return Report(
        "'\(name)' can't be a module's name", at: place,
        rows: [
          .init(
            "help",
            ModuleName.taken.contains(name)
              ? "the host itself uses that name: choose another one"
              : "a letter, then letters, digits and _, \(ModuleName.lengthMax) at most;"
                + " libraries belong into lib/")
        ])
    case .nameTaken(let others) where others.isEmpty:
      return Report(
        "\(module) is the name of a module in Swift", at: place,
        rows: [.init("help", "rename the file")])
    case .nameTaken(let others):
      return Report(
        "\(module) is there more than once", at: place, detail: "also in \(list(others))",
        rows: [.init("help", "remove or rename all but one")])
    case .unreadable(let error):
      return Report("\(module) can't be read", at: place, detail: files(error))
    case .skipped(let reason): return skipped(reason, at: place)
    case .returned(let found):
      return Report(
        "\(module) returns \(found), not a table of registrations", at: place,
        rows: [.init("help", "end the file with: return moon.module { … }")])
    case .renamedKey(let key, let current):
      return Report(
        "'\(key)' of \(module) is called '\(current)' now", at: place,
        rows: [.init("help", "rename the key")])
    case .tooMany(let key, let count, let max):
      return Report(
        "\(key) of \(module) has \(counted(count, "entry"))", at: place,
        detail: "a module may have \(max) there")
    case .unknownKey(let key, let nearest):
      return Report("\(module) has a key that nothing knows: \(key)", at: place).adding(
        suggestion(nearest))
    case .wrongKind(let key, let expected, let found):
      return Report("\(key) of \(module) is \(found), and must be \(expected)", at: place)
    case .invalidPattern(let key, let text):
      return Report(
        "'\(text)' in \(key) of \(module) can't be an action", at: place,
        rows: [.init("help", help(forPattern: key))])
    case .invalidFieldType(let key, let text):
      return Report(
        "'\(text)' at \(key) of \(module) is no type of a field", at: place,
        rows: [
          .init(
            "help",
            "\(list(PayloadSchema.FieldType.Kind.allCases.map(\.rawValue), "or"));"
              + " [] behind it for a list of them, | between several, ? at the end for optional")
        ])
    case .invalidPath(let key, let text):
      return Report(
        "'\(text)' in \(key) of \(module) is no path into the state", at: place,
        rows: [.init("help", "write one such as todo.items[3].title")])
    case .invalidSlot(let text):
      return Report(
        "'\(text)' in extends of \(module) names no slot", at: place,
        rows: [.init("help", "write one such as todo/list#below: module, kind of screen, slot")])
    case .invalidRoute(let text, let error):
      return Report(
        "'\(text)' of \(module) can't be a pattern for URLs: \(Messages.pattern(error))",
        at: place, rows: [.init("help", "write one such as /counter(/from/:start<int>)")])
    case .tooManyRoutes:
      return Report(
        "\(module) has too many patterns for URLs, or too long ones", at: place,
        rows: [.init("help", "each (group) doubles what a pattern stands for; use fewer")])
    case .tooManyKeptSlices:
      return Report(
        "too many slices of \(module) are put aside to put away another one", at: place,
        rows: [.init("help", ":slices lists them, :drop-slice throws one away")])
    case .unstorable(let path, let what):
      return Report("\(path) of \(module): \(what) can't be kept in the state", at: place)
    }
  }

  private static func help(forPattern key: String) -> String {
    key.hasPrefix("actions")
      ? "a module declares its own actions, by their names without a slash: add"
      : "write add for one's own action, todo/add for another module's, todo/* for all of them,"
        + " * for any"
  }

  private static func skipped(
    _ reason: ScriptDirectory.Problem.Reason, at place: SourcePlace
  ) -> Report {
    let (what, help): (String, String?) =
      switch reason {
      case .tooLarge(let size, let limit):
        ("it has \(size) bytes, \(limit) are allowed", "split it, and `require` its parts")
      case .unreadable(let error): ("\(error)", "see who may read it")
      case .leavesRoot(let target):
        ("it leads out of the script directory, to \(target)", "put a copy in the directory")
      case .linkLoop(let target): ("it leads back to \(target)", "remove the link")
      case .notRegularFile: ("it is no regular file", nil)
      case .nameNotUTF8: ("its name isn't UTF-8", "rename it")
      case .tooDeep(let limit):
        ("it lies deeper than \(counted(limit, "directory"))", nil)
      case .tooManyFiles(let limit):
        ("there are more than \(limit) files: the rest is left out", "is it the right directory?")
      case .tooManyDirectories(let limit):
        (
          "there are more than \(limit) directories: the rest is left out",
          "is it the right directory?"
        )
      }
    return Report("\(place.file) can't be used", detail: what).adding(
      help.map { .init("help", $0) })
  }
}
