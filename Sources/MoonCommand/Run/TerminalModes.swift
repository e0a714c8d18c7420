import Glibc

/// The modes of the terminal when the program started.
struct TerminalModes: Sendable {
  private let modes: termios?

  init() {
    var modes = termios()
    self.modes = tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }

  /// Restores them, for a program that ends while a line is being typed.
  func restore() {
    guard var modes else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    guard isatty(STDOUT_FILENO) == 1 else { return }
    // Ends bracketed paste, and gives the shell's prompt a row of its own.
    let text = "\u{1B}[?2004l\r\n"
    _ = text.utf8.withContiguousStorageIfAvailable {
      write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
  }
}
