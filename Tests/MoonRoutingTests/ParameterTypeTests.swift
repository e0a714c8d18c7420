import MoonRouting
import MoonValues
import Testing

struct ParameterTypeTests {
  @Test(
    arguments: [
      (.int, "42", 42), (.int, "-7", -7), (.int, "007", 7),
      (.int, "9223372036854775807", .int(.max)),
      (.int, "-9223372036854775808", .int(.min)), (.int, "9223372036854775808", nil),
      (.int, "", nil), (.int, "-", nil), (.int, "1.5", nil), (.int, "+1", nil),
      (.number, "3", 3), (.number, "3.5", 3.5), (.number, "1e3", 1000.0), (.number, "-2E-2", -0.02),
      (.number, "1e999", nil), (.number, "1.", nil), (.number, ".5", nil), (.number, "0x10", nil),
      (.number, "nan", nil), (.number, "inf", nil), (.number, "1e+3", nil),
      (.uuid, "123e4567-E89B-12d3-a456-426614174000", "123e4567-E89B-12d3-a456-426614174000"),
      (.uuid, "123e4567e89b12d3a456426614174000", nil),
      (.uuid, "g23e4567-e89b-12d3-a456-426614174000", nil),
      (.slug, "a-b2", "a-b2"), (.slug, "a--b", nil), (.slug, "-a", nil), (.slug, "A", nil),
      (.slug, "", nil), (.word, "A_1", "A_1"), (.word, "a-b", nil), (.word, "ö", nil),
      (.text, "anything at all", "anything at all"), (.text, "", nil),
    ] as [(ParameterType, Text, Value?)])
  func `a type takes what it says and nothing else`(
    type: ParameterType, text: Text, value: Value?
  ) {
    #expect(type.value(of: text) == value)
  }

  @Test func `types are found by their names`() {
    for type in ParameterType.allCases where type != .text {
      #expect(ParameterType(named: Text(type.name)) == type)
    }
    #expect(ParameterType(named: "") == nil)
  }
}
