import Moonwire

extension Messages {
  static let abstract = "Runs apps made of modules in Lua, and keeps their state while they change."
  static let discussion = """
    `moonwire DIR` is `moonwire run DIR`.

    Results go to standard output; the log, reloads and errors to standard error.

    Exit codes: 0 all went well; 1 problems found (check) or no route (routes match); 64 wrong \
    usage; 65 an error in Lua or in data; 66 no such directory or unreadable input; 70 internal \
    error, or the system gives too little; 73 the state file can't be written; 74 results can't be \
    written; 129, 130, 131 and 143 stopped by a signal, with the modules stopped and the state \
    written.
    """

  static let emptyDirectoryName = "the name of the directory is empty: . is the current directory"

  /// A first word that is neither a subcommand nor a directory.
  static func unknownSubcommand(_ word: String, nearest: String) -> Report {
    Report(
      "there is no subcommand \(word), nor a directory of that name",
      rows: [.init("help", "did you mean \(nearest)?")])
  }

  static let runAbstract = "Loads a directory of modules, watches it, and takes lines."
  static let runDiscussion = """
    On a terminal this is a prompt: Tab completes, :help explains, Ctrl-C stops what runs, Ctrl-D \
    leaves. A saved file is in service at once, and the state is kept.

    Piped input is a script of the same lines. It stops at the first error.

    Lines:
      counter/add by=2 why="fun"   dispatches an action with a payload
      counter/add {"by": 2}        the same as JSON
      = 1 + 1                      evaluates Lua
      :state counter.count         a command; :help lists them
      :open /detail/7              routes a URL and shows its screen
      # remark                     nothing

    The prompt's history is kept in MOONWIRE_HISTORY, or else in moonwire/history below \
    XDG_STATE_HOME (~/.local/state); MOONWIRE_HISTORY= keeps none.
    """
  static let dispatchHelp = """
    An action to dispatch, such as 'counter/add by=2'. May be given several times; standard input \
    is left alone then.
    """
  static let stateHelp = """
    Where to write the whole state as JSON at the end. A file is replaced as a whole. With - the \
    state goes to standard output, and what changes to standard error.
    """

  static let checkAbstract = "Loads a directory of modules and says what is wrong with it."
  static let checkDiscussion = """
    Nothing is started. The code is 0 if all is well, 1 if there are problems, 66 if there is no \
    such directory. Routes that get in each other's way are warnings, which don't change it.
    """

  /// The last line of a check.
  static func checked(modules: Int, problems: Int, warnings: Int) -> String {
    let found = problems == 0 ? "no problems" : counted(problems, "problem")
    let more = warnings == 0 ? "" : ", \(counted(warnings, "warning"))"
    return "\(counted(modules, "module")), \(found)\(more)"
  }

  /// Nothing runs because a module has problems.
  static func refused(problems: Int) -> Report {
    Report(
      "nothing runs: \(counted(problems, "problem")) in the modules",
      rows: [.init("help", "without --strict the modules that are good would run")])
  }
}
