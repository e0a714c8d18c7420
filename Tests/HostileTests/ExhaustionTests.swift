import Glibc
import Logging
import Moonwire
import Synchronization
import Testing

@Suite(.serialized) struct ExhaustionTests {
  /// Bytes in memory, from `/proc/self/statm`.
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, 256, file) != nil else { return 0 }
    let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }

  @Test(arguments: [
    "local t = {} while true do t[#t + 1] = ('x'):rep(1000) .. #t end",
    "local s = 'x' while true do s = s .. s end",
    "for i = 1, math.huge do state.t[i] = ('x'):rep(100000) .. i end",
  ])
  func `a machine that used all its memory gives it back`(text: String) async throws {
    let arena = try await Arena(
      hostile: """
        return require("moonwire").module { state = { t = {} }, reducers = {
          go = function(state) \(text) end } }
        """)
    var sizes: [Int] = []
    for _ in 0..<5 {
      #expect(await arena.reasons(of: "hostile/go") == [.memory])
      sizes.append(Self.residentBytes)
      let memory = await arena.host.moduleInfos().first { $0.name.text == "hostile" }?.memory
      #expect(try #require(memory) < 1 << 20, "the machine is a new one")
    }
    // Other tests run beside this one, with quotas of their own.
    #expect((sizes.last ?? 0) - sizes[0] < 10 * Arena.quota)
  }

  @Test func `a module that keeps what it may is left alone`() async throws {
    let arena = try await Arena(
      hostile: """
        local kept = {}
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state)
            for i = 1, 8 do kept[i] = ("x"):rep(1 << 20) end
            for i = 1, 200 do local garbage = ("y"):rep(1 << 20) .. i end
            state.n = state.n + 1
          end } }
        """)
    for _ in 0..<5 { #expect(await arena.reasons(of: "hostile/go") == []) }
    #expect(try await arena.state("hostile.n") == 5)
  }

  @Test func `a pattern fails at the same place whatever the machine does`() async throws {
    let arena = try await Arena(
      hostile: """
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state)
            for n = 1, 400 do
              state.n = n
              if not pcall(string.find, ("a"):rep(n), ".-.-.-.-b") then return end
            end
          end } }
        """)
    var reached: [Value?] = []
    for _ in 0..<2 {
      #expect(await arena.reasons(of: "hostile/go") == [])
      reached.append(try await arena.state("hostile.n"))
    }
    #expect(reached[0] == reached[1])
    #expect(try #require(reached[0]?.intValue) < 400)
  }

  @Test func `a flood of lines is dropped and counted`() async throws {
    let lines = Lines()
    var logger = Logger(label: "test") { _ in lines }
    logger.logLevel = .info
    let arena = try await Arena(
      hostile: """
        return require("moonwire").module { state = { n = 0 }, reducers = {
          go = function(state) for i = 1, 20000 do print("line " .. i) end end } }
        """, logger: logger)
    _ = await arena.reasons(of: "hostile/go")
    let texts = lines.texts.withLock { $0 }
    let told = texts.filter { $0.hasPrefix("line ") }.count
    #expect(told >= 1_000 && told < 20_000)
    #expect(texts.contains { $0.hasPrefix("more than 1000 lines or 1 MB in a second") })
  }
}

/// Keeps what is logged.
final class Lines: LogHandler, Sendable {
  let texts = Mutex<[String]>([])

  subscript(metadataKey _: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }

  var logLevel: Logger.Level {
    get { .info }
    set {}
  }

  func log(event: LogEvent) {
    texts.withLock { $0.append(event.message.description) }
  }
}
