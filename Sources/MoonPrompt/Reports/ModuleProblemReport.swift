import Glibc
package import Moonwire

extension ModuleProblem {
  /// The report on a problem with a module's files.
  package var report: Report { sentences.coded(reason.code) }

  private var sentences: Report {
    switch reason {
    case .fault(let fault):
      var report = fault.report
      report.headline = headline
      return report
    case .skipped:
      return Report(headline, detail: detail).adding(help)
    case .unknownKey(_, let nearest):
      return Report(headline, at: place).adding(Report.Row.suggestion(nearest))
    default: return Report(headline, at: place, detail: detail).adding(help)
    }
  }

  /// Returns the reports on the problems of one module.
  ///
  /// `running` is the number of the generation that stays in service.
  package static func reports(_ problems: [ModuleProblem], running: Int?) -> [Report] {
    var reports = problems.map(\.report)
    if let module = problems.last?.module {
      reports[reports.count - 1].rows.append(
        .init(
          "meanwhile",
          running.map { "generation \($0) of \(module) stays in service" }
            ?? "\(module) isn't in service"
            + (problems.contains(where: \.isAboutPart) ? ", nor is anything else in it" : "")))
    }
    return reports
  }

  /// Whether the problem is with a part of the module's table, and the rest would do.
  private var isAboutPart: Bool {
    switch reason {
    case .renamedKey, .unknownKey, .wrongKind, .invalidPattern, .invalidFieldType, .invalidPath,
      .invalidSlot, .invalidScreens, .invalidKey, .invalidOption, .invalidParent, .invalidRoute,
      .tooMany:
      true
    default: false
    }
  }

  private var help: Report.Row? {
    if case .refusedState(let refusal) = reason, let module {
      return refusal.help(for: module.text).map { .init("help", $0) }
    }
    if case .notGranted(let scope, let answer, _) = reason, let module {
      let help =
        if case .denied(let rule) = answer {
          rule.file.map { "\($0) has it under deny, for this directory" }
            ?? "leave out --deny \(rule), or :grant \(module) \(scope) if it was revoked"
        } else {
          "--allow \(module)=\(scope) grants it to this module, --allow \(scope) to all, and"
            + " :grant \(module) while the app runs"
            + (GrantsFile.personal.map { "; \($0.path) keeps grants" } ?? "")
        }
      return .init("help", help)
    }
    return reason.help.map { .init("help", $0) }
  }
}

extension ModuleProblem.Reason {
  fileprivate var help: String? {
    switch self {
    case .invalidName(let name):
      ModuleName.builtIn.contains(name)
        ? "the built-in module of that name is there with --with \(name): choose another one"
        : ModuleName.taken.contains(name)
          ? "the host itself uses that name: choose another one"
          : "a letter, then letters, digits and _, \(ModuleName.lengthMax) at most;"
            + " libraries belong into lib/"
    case .announcedAction:
      "the host announces it; a module hears it with a reducer, an effect or an observer"
    case .nameTaken(let others):
      others.isEmpty ? "rename the file" : "remove or rename all but one"
    case .skipped(let reason): reason.help
    case .returned: "end the file with: return moon.module { … }"
    case .renamedKey: "rename the key"
    case .invalidPattern(let key, _): Self.help(forPattern: key)
    case .invalidFieldType:
      PayloadSchema.FieldType.advice
    case .invalidPath: "write one such as todo.items[3].title"
    case .invalidRedaction:
      "write the module's name and the way to the value, such as auth.token in auth.lua"
    case .invalidSlot: "write one such as todo/list#below: module, kind of screen, slot"
    case .invalidRoute: "write one such as /counter(/from/:start<int>)"
    case .tooManyRoutes: "each (group) doubles what a pattern stands for; use fewer"
    case .misshapenSlice:
      "raise version: migrate then brings the state into shape, and without it the module begins"
        + " anew"
    case .tooManyKeptSlices: ":slices lists them, :drop-slice throws one away"
    case .invalidScreens:
      "write form for a kind of one's own screens, detail/form for another module's, detail/* for"
        + " all of them, * for any"
    case .invalidKey:
      "write one such as n, ctrl+n, alt+enter or f1, or several in a row, such as g i"
    case .invalidParent: "write one such as /todos, or /lists/:list for a route with a :list"
    case .encoding: "save it as UTF-8, without a byte order mark or with that of UTF-8"
    case .wrongKind(_, _, let found) where found.contains("UTF-8"):
      "the file may be in Latin-1 or Windows-1252: save it as UTF-8"
    case .wrongKind(let key, _, "a string") where key.hasPrefix("map_navigation"):
      "write a function that returns the URL: function(action) return \"/home\" end"
    case .nothingNeeded(_, let kind): "write needs = { \"\(kind.rawValue):*\" }"
    case .notDerived(_, .noFields): "give the module a state such as { count = 0 }"
    case .fault, .invalidOption, .invalidScope, .notDerived, .notGranted, .refusedSetting,
      .unreadable, .unknownKey,
      .wrongKind, .tooMany, .unstorable, .refusedState, .keptOut:
      nil
    }
  }

  private static func help(forPattern key: String) -> String {
    key.hasPrefix("actions")
      ? "a module declares its own actions, by their names without a slash: add"
      : "write add for one's own action, todo/add for another module's, todo/* for all of them,"
        + " * for any"
  }
}

extension ScriptDirectory.Problem.Reason {
  fileprivate var help: String? {
    switch self {
    case .tooLarge: "split it, and `require` its parts"
    case .unreadable(let cause) where cause.code == ELOOP: "remove the link"
    case .unreadable: "see who may read it"
    case .danglingLink: "restore what it points to, or remove the link"
    case .leavesRoot:
      "put a copy in the directory, or allow links into another: --follow-links DIR"
    case .linkLoop: "remove the link"
    case .nameNotUTF8: "rename it"
    case .tooManyFiles, .tooManyDirectories: "is it the right directory?"
    case .tooManyFilesInFolder, .tooManyDirectoriesInFolder:
      "keep data outside the directory of the app, or in a folder whose name begins with a dot"
    case .notRegularFile, .tooDeep: nil
    }
  }
}
