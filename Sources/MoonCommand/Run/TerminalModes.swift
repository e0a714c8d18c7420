import Glibc

/// The modes of the terminal when the program started.
struct TerminalModes: Sendable {
  private let modes: termios?

  init() {
    var modes = termios()
    self.modes = tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }

  /// Restores the modes when the program ends while a line is being typed.
  func restore() {
    guard var modes else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    guard isatty(STDOUT_FILENO) == 1 else { return }
    // Ends bracketed paste, and starts a new row for the shell's prompt.
    let text = "\u{1B}[?2004l\r\n"
    _ = text.utf8.withContiguousStorageIfAvailable {
      write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
  }
}
