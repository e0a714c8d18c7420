import Glibc

/// How the terminal was when the program began.
struct TerminalModes: Sendable {
  private let modes: termios?

  init() {
    var modes = termios()
    self.modes = tcgetattr(STDIN_FILENO, &modes) == 0 ? modes : nil
  }

  /// Makes it so again, for a program that ends while a line is being typed.
  func restore() {
    guard var modes else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    guard isatty(STDOUT_FILENO) == 1 else { return }
    // Pasting unmarked again, and the shell's prompt on a row of its own.
    let text = "\u{1B}[?2004l\r\n"
    _ = text.utf8.withContiguousStorageIfAvailable {
      write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
  }
}
