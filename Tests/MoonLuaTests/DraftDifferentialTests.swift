import MoonLua
import MoonValues
import Testing

/// Random programs have the same effect on a draft as on a plain table.
@Suite struct DraftDifferentialTests {
  static let programCount = 1000

  @Test(arguments: [UInt64(1), 2, 3])
  func `a program does the same to a draft as to a table`(seed: UInt64) throws {
    var lua = try PairedMachine()
    var ranCount = 0
    for number in 0..<UInt64(Self.programCount) {
      if number % 250 == 249 {
        ranCount += lua.ranCount
        lua = try PairedMachine()
      }
      let programSeed = seed << 32 | number
      let program = RandomProgram(seed: programSeed)
      guard let difference = lua.difference(program) else { continue }
      let smallest = try shrink(program)
      Issue.record(
        """
        seed \(programSeed): \(difference)
        smallest: \(try PairedMachine().difference(smallest) ?? "")
        state: \(smallest.slice)
        \(smallest.body)
        """)
      return
    }
    #expect(ranCount > Self.programCount / 2, "too few programs run to their end to mean anything")
  }

  @Test func `the comparison notices a difference`() throws {
    let lua = try PairedMachine()
    var program = RandomProgram(seed: 1)
    for line in [
      "state.x = rawequal(state, state.self)", "say(tostring(is_draft))",
      "if is_draft then state.y = 1 end", "if is_draft then error('no') end",
    ] {
      program.statements = [.line(line)]
      #expect((lua.difference(program) != nil) == line.contains("is_draft"))
    }
  }

  /// Drops statements as long as the difference remains.
  private func shrink(_ program: RandomProgram) throws -> RandomProgram {
    var smallest = program
    var hasShrunk = true
    while hasShrunk {
      hasShrunk = false
      for smaller in smallest.smaller {
        if try PairedMachine().difference(smaller) != nil {
          smallest = smaller
          hasShrunk = true
          break
        }
      }
    }
    return smallest
  }
}

/// A comparison of a program's runs on a draft and on a table with the same value.
final class PairedMachine {
  private let lua: TestMachine
  /// The number of programs that raised no error in either run.
  private(set) var ranCount = 0

  init() throws(LuaError) {
    var lua = try TestMachine(libraries: ["tools": RandomProgram.tools], watchdog: Watchdog())
    lua.budget = .seconds(2)
    self.lua = lua
  }

  private struct Run: Equatable {
    var value: Value?
    var error: String?
    var said: [[Value?]]
  }

  /// Returns the difference, if there is one.
  func difference(_ program: RandomProgram) -> String? {
    let before = program.slice.canonicalText
    let source = program.source
    do throws(LuaError) {
      let functions = try lua.run(source).compactMap { form in
        if case .function(let function) = form { function } else { nil }
      }
      guard functions.count == 2 else { return "the program returns no two functions" }
      let draft = run { () throws(LuaError) in
        try lua.machine.reduce(
          functions[0], slice: program.slice, payload: true, action: { .null }, limits: lua.limits)
      }
      guard program.slice.canonicalText == before else { return "the old tree has changed" }
      var way: String?
      let lent = run { () throws(LuaError) in try reduceLent(program, functions[0], &way) }
      if let way { return way }
      if lent != draft { return "draft: \(draft)\nlent: \(lent)" }
      let plain = run { () throws(LuaError) in
        try lua.machine.call(
          functions[1], [.value(program.slice), .value(false)], limits: lua.limits)[0]
      }
      if draft.error == nil { ranCount += 1 }
      if draft == plain { return nil }
      return "draft: \(draft)\nplain: \(plain)"
    } catch {
      return "\(error)"
    }
  }

  /// Runs the program with a slice that nothing else holds; `way` says what is wrong with the way
  /// back, if something is.
  private func reduceLent(
    _ program: RandomProgram, _ function: LuaFunction, _ way: inout String?
  ) throws(LuaError) -> Value? {
    guard let slice = try? Value(parsing: program.slice.canonicalText) else {
      way = "the slice can't be made anew"
      return nil
    }
    var lent = LentValue(slice)
    defer { if lent.former != program.slice { way = "the way back leads to \(lent.former)" } }
    do throws(LuaError) {
      try lua.machine.reduce(
        function, &lent, payload: true, action: { .null }, limits: lua.limits)
      return lent.value
    } catch {
      if lent.value != program.slice { way = "a failure leaves \(lent.value)" }
      throw error
    }
  }

  private func run(_ body: () throws(LuaError) -> Value?) -> Run {
    lua.log.calls = []
    do throws(LuaError) {
      let value = try body()
      return Run(value: value?.withoutEmptyLists, error: nil, said: lua.log.calls)
    } catch {
      return Run(value: nil, error: error.report?.message ?? "\(error)", said: lua.log.calls)
    }
  }
}
