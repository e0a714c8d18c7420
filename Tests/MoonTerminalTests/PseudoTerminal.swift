import Glibc

/// A terminal of the kernel's whose screen and keyboard are a test's.
final class PseudoTerminal {
  /// Where the test types and reads what is drawn.
  let master: Int32
  /// Where the program under test reads and draws.
  let slave: Int32

  // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros Swift cannot see; they are what
  // unlockpt and ptsname call, which the Glibc module leaves out.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Whether the plug is in.
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

  /// Pulls the plug: the other side reads the end of its input.
  func hangUp() {
    guard isOpen else { return }
    isOpen = false
    close(master)
  }

  /// Whether characters come one by one and unechoed, as while a line is edited.
  var isRaw: Bool {
    var modes = termios()
    tcgetattr(slave, &modes)
    return modes.c_lflag & tcflag_t(ICANON) == 0
  }
}

struct PseudoTerminalError: Error {
  let code: Int32
}
