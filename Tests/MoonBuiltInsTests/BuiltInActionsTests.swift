import MoonBuiltIns
import Moonwire
import Testing

/// The names that scripts can't take.
struct BuiltInActionsTests {
  @Test func `the names of built-in modules and announced actions are reserved`() {
    #expect(Set(BuiltIn.all.map(\.name.text)) == ModuleName.builtIn)
    let announced = (BuiltIn.actions["app"] ?? []).map(\.type)
    #expect(Set(announced) == Set(ProgramEvent.allCases.map(\.action.type.string)))
    #expect(Set(announced) == ModuleName.announced)
    #expect(ModuleName("crash") == nil)
  }
}
