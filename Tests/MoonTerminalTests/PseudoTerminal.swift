import Glibc

/// A terminal of the kernel whose screen and keyboard belong to a test.
final class PseudoTerminal {
  /// The end at which the test types and reads the output.
  let master: Int32
  /// The end at which the program under test reads and draws.
  let slave: Int32

  // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, which are macros that Swift can't import.
  // unlockpt and ptsname use them, but the Glibc module lacks those functions.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Whether the terminal is still connected.
  private(set) var isOpen = true

  init(columns: Int, rows: Int) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var locked: CInt = 0
    var number: CInt = 0
    guard master >= 0, ioctl(master, Self.setLock, &locked) == 0,
      ioctl(master, Self.getNumber, &number) == 0
    else { throw PseudoTerminalError(code: errno) }
    slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw PseudoTerminalError(code: errno) }
    resize(columns: columns, rows: rows)
  }

  deinit {
    hangUp()
    close(slave)
  }

  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func type(_ keys: String) {
    var rest = Array(keys.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Disconnects the terminal, so that the other side reads the end of its input.
  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    close(master)
  }

  /// Whether characters arrive one by one without an echo, as while a line is edited.
  var isRaw: Bool {
    var modes = termios()
    tcgetattr(slave, &modes)
    return modes.c_lflag & tcflag_t(ICANON) == 0
  }
}

struct PseudoTerminalError: Error {
  let code: Int32
}
