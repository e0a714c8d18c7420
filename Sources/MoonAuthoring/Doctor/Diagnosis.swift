import Glibc
package import MoonTerminal
package import Moonwire

/// What was found about one thing that the program needs of a machine.
package struct Diagnosis: Sendable {
  package enum State: String, Sendable { case good, warning }

  package let name: String
  package let state: State
  /// What is there.
  package let what: String
  /// Why it matters.
  package let why: String
  /// What to do; nil if it is as it should be.
  package let help: String?

  private init(_ name: String, _ what: String, why: String, help: String?) {
    (self.name, self.what, self.why, self.help) = (name, what, why, help)
    state = help == nil ? .good : .warning
  }

  /// The lines for people; nothing is said of the reason if all is well.
  package func lines(_ style: Style) -> [String] {
    let sign = style.paint(state.rawValue, state == .good ? .good : .warning)
    let blanks = String(repeating: " ", count: State.warning.rawValue.count - state.rawValue.count)
    let line = "\(sign)\(blanks)  \(style.paint(name, .emphasis)): \(TerminalText.singleLine(what))"
    guard let help else { return [line] }
    return [line, "           why   \(why)", "           help  \(TerminalText.singleLine(help))"]
  }

  /// The record for programs.
  package var record: Map {
    var map: Map = [
      "kind": "diagnosis", "name": .string(Text(name)), "state": .string(Text(state.rawValue)),
      "what": .string(Text(what)), "why": .string(Text(why)),
    ]
    map["help"] = help.map { .string(Text($0)) }
    return map
  }
}

extension Diagnosis {
  /// The limits below which something is worth a warning.
  private static let watchCountMin = 8_192
  private static let watcherCountMin = 32
  private static let descriptorCountMin = 256
  private static let freeByteCountMin = 100 << 20
  private static let columnCountMin = 60

  /// Returns what is to be said about a machine.
  package static func all(about facts: MachineFacts) -> [Diagnosis] {
    [
      watches(facts), watchers(facts), locale(facts), terminal(facts), libraries(facts),
      git(facts), archives(facts), sockets(facts), data(facts), space(facts), descriptors(facts),
    ]
  }

  private static func watches(_ facts: MachineFacts) -> Diagnosis {
    let count = facts.watchCountMax
    return Diagnosis(
      "watches",
      count.map { "\(Wording.grouped($0)) directories can be watched" }
        ?? "the system doesn't say how many directories can be watched",
      why: "a host watches each directory of an app; without, it looks for changes twice a second",
      help: (count ?? .max) < watchCountMin
        ? "sudo sysctl fs.inotify.max_user_watches=524288, and the same in /etc/sysctl.d" : nil)
  }

  private static func watchers(_ facts: MachineFacts) -> Diagnosis {
    let count = facts.watcherCountMax
    return Diagnosis(
      "watchers",
      count.map { "\(Wording.grouped($0)) programs of one person can watch directories" }
        ?? "the system doesn't say how many programs can watch directories",
      why: "editors watch, too, and a host needs one of these",
      help: (count ?? .max) < watcherCountMin
        ? "sudo sysctl fs.inotify.max_user_instances=256, and the same in /etc/sysctl.d" : nil)
  }

  private static func locale(_ facts: MachineFacts) -> Diagnosis {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"]
    let set = variables.first { !(facts.environment[$0] ?? "").isEmpty }
    let value = set.flatMap { facts.environment[$0] } ?? ""
    let letters = value.lowercased().filter { $0 != "-" }
    return Diagnosis(
      "locale", set.map { "\($0) is \(value)" } ?? "neither LC_ALL, LC_CTYPE nor LANG is set",
      why: "the prompt can only edit letters that the locale has",
      help: letters.contains("utf8") ? nil : "export LC_ALL=C.UTF-8")
  }

  private static func terminal(_ facts: MachineFacts) -> Diagnosis {
    let why = "the prompt edits lines, and shows screens, in colours and columns"
    guard let columns = facts.columns else {
      return Diagnosis("terminal", "standard output isn't a terminal", why: why, help: nil)
    }
    let kind = facts.environment["TERM"] ?? ""
    let isPlain = kind.isEmpty || kind == "dumb"
    return Diagnosis(
      "terminal", "TERM is \(kind.isEmpty ? "not set" : kind), \(columns) columns", why: why,
      help: isPlain
        ? "export TERM=xterm-256color, if the terminal can do that"
        : columns < columnCountMin ? "make the window at least \(columnCountMin) columns wide" : nil
    )
  }

  private static func libraries(_ facts: MachineFacts) -> Diagnosis {
    let list = facts.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
    return Diagnosis(
      "libraries", list, why: "modules reach the world through them", help: nil)
  }

  private static func git(_ facts: MachineFacts) -> Diagnosis {
    Diagnosis(
      "git", facts.hasGit ? "there" : "not installed",
      why: "moonwire add fetches modules from repositories with it",
      help: facts.hasGit ? nil : "sudo apt-get install git")
  }

  private static func archives(_ facts: MachineFacts) -> Diagnosis {
    Diagnosis(
      "libarchive", facts.hasArchiveLibrary ? "there" : "not installed",
      why: "moonwire add reads archives and repositories with it",
      help: facts.hasArchiveLibrary ? nil : "sudo apt-get install libarchive13")
  }

  private static func sockets(_ facts: MachineFacts) -> Diagnosis {
    let folder = facts.sockets
    let why = "moonwire attach, and commands such as moonwire state, find a running host there"
    let help: String? =
      if !folder.isWritable {
        "export XDG_RUNTIME_DIR, the directory of your session, such as /run/user/1000"
      } else if folder.isOpenToOthers {
        "chmod 700 \(folder.path), if it is yours: others could put sockets there"
      } else {
        nil
      }
    return Diagnosis(
      "sockets", "\(folder.path), \(folder.isWritable ? "writable" : "not writable")", why: why,
      help: help)
  }

  private static func data(_ facts: MachineFacts) -> Diagnosis {
    let why = "what modules store is kept there between runs"
    guard let folder = facts.data else {
      return Diagnosis(
        "data", "there is no place for it: neither XDG_DATA_HOME nor HOME is set", why: why,
        help: "export HOME, or give --data DIR")
    }
    return Diagnosis(
      "data", "\(folder.path), \(folder.isWritable ? "writable" : "not writable")", why: why,
      help: folder.isWritable ? nil : "make it writable, or give --data DIR")
  }

  private static func space(_ facts: MachineFacts) -> Diagnosis {
    let folders = [facts.data, facts.temporary].compactMap(\.self)
    let least = folders.min { $0.freeByteCount < $1.freeByteCount } ?? facts.temporary
    return Diagnosis(
      "space", "\(Wording.size(least.freeByteCount)) are free for \(least.path)",
      why: "journals, storage and temporary files need room; actions are refused without",
      help: least.freeByteCount < freeByteCountMin ? "remove files, or choose another disk" : nil)
  }

  private static func descriptors(_ facts: MachineFacts) -> Diagnosis {
    let count = facts.descriptorCountMax
    return Diagnosis(
      "files", count == .max ? "any number can be open" : "\(Wording.grouped(count)) can be open",
      why: "each connection and each file of a module takes one",
      help: count < descriptorCountMin ? "ulimit -n 1024" : nil)
  }
}
