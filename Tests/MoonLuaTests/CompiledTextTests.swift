import MoonValues
import Testing

@testable import MoonLua

/// The program's own texts in Lua, which machines take in compiled form.
struct CompiledTextTests {
  private static let text = Array("return #{ 1, 2 }, 'text'".utf8)

  @Test func `a text is compiled once, and anew when it has changed`() throws {
    let form = try #require(CompiledTexts.form(of: Self.text, chunk: "@a"))
    #expect(form.starts(with: [0x1B]))
    let again = try #require(CompiledTexts.form(of: Self.text, chunk: "@a"))
    let isSame = form.withUnsafeBytes { form in
      again.withUnsafeBytes { form.baseAddress == $0.baseAddress }
    }
    #expect(isSame)
    let other = Array("return #{ 1, 2 }, 'tuxt'".utf8)
    #expect(CompiledTexts.form(of: other, chunk: "@a") != form)
  }

  @Test func `a text that doesn't compile has no form`() {
    #expect(CompiledTexts.form(of: Array("return (".utf8), chunk: "@a") == nil)
  }

  @Test(arguments: [true, false])
  func `a library of the program works compiled, and scripts can't bring compiled code`(
    isOwn: Bool
  ) throws {
    let form = try #require(CompiledTexts.form(of: Self.text, chunk: "@lib.lua"))
    let library =
      isOwn
      ? Services.Library(file: "lib.lua", own: Self.text)
      : Services.Library(file: "lib.lua", source: form)
    let services = Services(
      callHost: { _, _ throws(HostRefusal) in [] },
      findLibrary: { _ throws(HostRefusal) in library })
    let machine = try Machine(
      name: "x", prelude: Array(TestMachine.prelude.utf8), services: services, watchdog: nil,
      seed: 1)
    let code = Array("local count = require 'lib' return count".utf8)
    let limits = CallLimits(budget: .seconds(20), purity: .impure, entry: "a test")
    if isOwn {
      guard case .value(2)? = try machine.run(code, file: "a.lua", limits: limits).first else {
        Issue.record("the library has another result")
        return
      }
    } else {
      #expect(throws: LuaError.self) { try machine.run(code, file: "a.lua", limits: limits) }
    }
  }
}
