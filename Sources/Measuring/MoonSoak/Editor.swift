import Glibc
import Moonwire

/// An editor that writes, breaks, truncates, removes and restores the files of the modules.
struct Editor {
  /// The way of saving a file.
  enum Style: CaseIterable {
    /// Truncates and writes the file, as `cat >` does.
    case inPlace
    /// Does the same, with a pause in the middle of the text.
    case halves
    /// Renames a new file to the name, as Emacs does.
    case renamed
    /// Moves the old file away first, as Vim does.
    case movedAway
  }

  /// The maximum number of modules that come and go.
  static let wanderersMax = 12
  /// The minimum time in seconds between two such saves of a healthy module's file.
  ///
  /// Editors move a file away for a moment. The host checks again after 100 ms, and must not meet a
  /// second such moment then.
  static let movedAwayPause = 0.5
  /// The mean number of edits between two bursts of saves.
  static let burstEvery = 40

  let root: String
  private(set) var serial = 1
  private var random: Randomness
  private var movedAway: [String: Double] = [:]

  init(root: String, seed: UInt64) {
    self.root = root
    random = Randomness(seed: seed)
  }

  /// Writes a good version of every module; returns the serial number in their descriptions.
  mutating func writeGood() -> Int {
    serial += 1
    save("lib/shared.lua", Scripts.shared(serial: serial), .inPlace)
    save("tally.lua", Scripts.tally(serial: serial), .inPlace)
    save("mirror.lua", Scripts.mirror(serial: serial), .renamed)
    save("guest.lua", Scripts.guest(serial: serial), .inPlace)
    save("victim.lua", Scripts.victim(serial: serial), .inPlace)
    for number in 0..<Self.wanderersMax { removeWanderer(number) }
    return serial
  }

  /// Makes one random edit or a burst of them; returns the name of the module.
  mutating func edit() async -> String {
    if random.once(in: Self.burstEvery) {
      for _ in 0..<random.number(2..<30) { _ = await editOnce() }
    }
    return await editOnce()
  }

  private mutating func editOnce() async -> String {
    serial += 1
    switch random.number(0..<100) {
    case 0..<22: return await editHealthy("tally", Scripts.tally(serial: serial))
    case 22..<34: return await editHealthy("mirror", Scripts.mirror(serial: serial))
    case 34..<40:
      let good = Scripts.shared(serial: serial)
      await save("lib/shared.lua", random.once(in: 3) ? truncated(good) : good)
      return "tally"
    case 40..<72:
      await editVictim()
      return "victim"
    case 72..<84:
      if random.once(in: 3) {
        remove("guest.lua")
      } else {
        await save("guest.lua", Scripts.guest(serial: serial))
      }
      return "guest"
    default: return await editWanderer()
    }
  }

  /// Gives a healthy module a version that works, or a file that leaves the old version in service.
  private mutating func editHealthy(_ name: String, _ good: String) async -> String {
    let file = "\(name).lua"
    switch random.number(0..<10) {
    case 0: await save(file, truncated(good))
    case 1: await save(file, oneOf(Scripts.unloadable)(serial))
    case 2 where name == "tally": await save(file, oneOf(Scripts.badMigrations)(serial))
    default: await save(file, good)
    }
    return name
  }

  private mutating func editVictim() async {
    switch random.number(0..<20) {
    case 0..<3: remove("victim.lua")
    case 3..<6: await save("victim.lua", truncated(Scripts.victim(serial: serial)))
    case 6..<8: await save("victim.lua", oneOf(Scripts.unloadable)(serial))
    case 8..<12: await save("victim.lua", oneOf(Scripts.hostile)(serial))
    case 12: saveBytes("victim.lua", noise())
    default: await save("victim.lua", Scripts.victim(serial: serial))
    }
  }

  private mutating func editWanderer() async -> String {
    let number = random.number(0..<Self.wanderersMax)
    switch random.number(0..<4) {
    case 0: removeWanderer(number)
    case 1:
      // In a folder of its own. Beside a file of the same name this is a conflict, which is
      // reported.
      mkdir("\(root)/w\(number)", 0o755)
      await save("w\(number)/init.lua", Scripts.wanderer(serial: serial))
    default: await save("w\(number).lua", Scripts.wanderer(serial: serial))
    }
    return "w\(number)"
  }

  private func removeWanderer(_ number: Int) {
    remove("w\(number).lua")
    remove("w\(number)/init.lua")
    rmdir("\(root)/w\(number)")
  }

  // MARK: Texts

  private mutating func oneOf(_ all: [@Sendable (Int) -> String]) -> @Sendable (Int) -> String {
    all[random.number(0..<all.count)]
  }

  /// Truncates a text, which then isn't a module: its last character closes the table.
  private mutating func truncated(_ text: String) -> String {
    String(text.prefix(random.number(0..<text.count)))
  }

  private mutating func noise() -> [UInt8] {
    (0..<random.number(1..<3000)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  // MARK: Files

  private mutating func save(_ file: String, _ text: String) async {
    var style = Style.allCases[random.number(0..<Style.allCases.count)]
    if style == .movedAway {
      let now = ProcessUse.seconds
      if now - (movedAway[file] ?? 0) < Self.movedAwayPause {
        style = .renamed
      } else {
        movedAway[file] = now
      }
    }
    guard style == .halves else { return save(file, text, style) }
    let bytes = Array(text.utf8)
    let descriptor = open("\(root)/\(file)", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    write(bytes[..<(bytes.count / 2)], to: descriptor)
    try? await Task.sleep(for: .microseconds(random.number(0..<3000)))
    write(bytes[(bytes.count / 2)...], to: descriptor)
  }

  private func save(_ file: String, _ text: String, _ style: Style) {
    let bytes = Array(text.utf8)
    switch style {
    case .inPlace, .halves: saveBytes(file, bytes)
    case .renamed:
      saveBytes("\(file).new", bytes)
      rename("\(root)/\(file).new", "\(root)/\(file)")
    case .movedAway:
      rename("\(root)/\(file)", "\(root)/\(file)~")
      saveBytes(file, bytes)
      remove("\(file)~")
    }
  }

  private func saveBytes(_ file: String, _ bytes: [UInt8]) {
    let descriptor = open("\(root)/\(file)", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    write(bytes[...], to: descriptor)
  }

  private func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) {
    bytes.withUnsafeBytes { buffer in
      // Files have a few kilobytes, so one write suffices. If it doesn't, the next edit completes
      // it.
      _ = Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  private func remove(_ file: String) { unlink("\(root)/\(file)") }
}

/// A directory in the temporary folder, removed with its files at the end.
final class Folder: Sendable {
  let root: String

  /// Creates the directory; nil if that fails.
  init?() {
    var template = Array("/tmp/moonwire-soak-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    root = String(cString: made)
    mkdir("\(root)/lib", 0o755)
  }

  deinit { Self.remove(root) }

  private static func remove(_ path: String) {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { remove("\(path)/\(name)") }
      }
      closedir(directory)
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
