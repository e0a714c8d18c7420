import Moonwire
import Testing

/// Cards that `moon.ui.template` makes of templates and data.
struct TemplateTests {
  private static let data = """
    { name = "Ann", n = 3, nan = 0/0, inf = 1/0, a = cyclic(), b = cyclic(), none = moon.null, deep = { x = { "p", "q" } }, empty = {},
      items = { { t = "a", ok = true }, { t = "b", ok = false } } }
    """

  private static func filled(_ template: String) async throws -> Value? {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      local function cyclic() local t = {} t.t = t return t end
      local made = moon.ui.template({ v = \(template) }, \(data))
      return { state = { v = moon.list { made.v } } }
      """
    ])
    return try await bench.state("m.v")?.listValue?[0]
  }

  static let expressions: [(String, Value)] = [
    ("Hi ${name}!", "Hi Ann!"), ("${n}", 3), ("${name} has ${n + 1}", "Ann has 4"),
    ("no ${missing}", "no ${missing}"), ("${missing}", "${missing}"), ("${none}", "${none}"),
    (#"\\${name}"#, "${name}"), ("${name", "${name"), ("${'}'}", "}"), ("$5 {x}", "$5 {x}"),
    ("${deep.x[1]}", "q"), ("${deep['x'][0]}", "p"), ("${deep.x[9]}", "${deep.x[9]}"),
    ("${name.x.y}", "${name.x.y}"), ("${$root.n} ${$data.n}", "3 3"),
    ("${2 + 3 * 4}", 14), ("${(2 + 3) * 4}", 20), ("${2 * 3 ^ 2 - 1}", 17), ("${7 / 2}", 3),
    ("${-7 / 2}", -3), ("${7 / 2.0}", 3.5), ("${7 % 4}", 3), ("${1 / 0}", "${1 / 0}"),
    ("${9223372036854775807 + 1}", .int(.min)), ("${-n}", -3), ("${2.5e1 + 1e0}", 26.0),
    ("${nan} ${inf} ${-inf}", "${nan} ${inf} ${-inf}"),
    ("${a == a && a != b}", true), ("${'a' + n}", "a3"),
    ("${'a' & n & true}", "a3true"), ("${name - 1}", "${name - 1}"),
    ("${n > 2 && n <= 3}", true), ("${n == 4 || !empty(items)}", true), ("${n != 3}", false),
    ("${name < 'B'}", true), ("${name < 3}", false), ("${deep.x == split('p,q', ',')}", true),
    ("${if(n > 2, 'many', 'few')}", "many"), ("${if(missing, 1, 2)}", 2),
    ("${and(true, n)} ${or(false, missing)} ${not(false)}", "true false true"),
    ("${coalesce(missing, name)}", "Ann"), ("${exists(missing)} ${empty('')}", "false true"),
    ("${count(items)} ${length('häuser')}", "2 6"), ("${toUpper(name)}", "ANN"),
    ("${substring('häuser', 1, 2)}", "äu"), ("${substring('ab', 3)}", "${substring('ab', 3)}"),
    ("${replace('a.b.c', '.', '-')}", "a-b-c"), ("${join(deep.x, ', ')}", "p, q"),
    ("${first(deep.x) & last('äö')}", "pö"), ("${indexOf('äö', 'ö')}", 1),
    ("${contains(deep.x, 'q')} ${contains(name, 'x')}", "true false"),
    ("${startsWith(name, 'A')} ${endsWith(name, '')}", "true true"),
    (
      "${sum(1, 2, 3)} ${max(4, 9)} ${min(4, 9)} ${average(split('a', 'b'))}",
      "6 9 4 ${average(split('a', 'b'))}"
    ),
    ("${round(2.567, 2)} ${floor(-1.5)} ${ceiling(1.2)}", "2.57 -2 2"),
    ("${formatNumber(1234567.891, 2)}", "1,234,567.89"), ("${formatNumber(-12, 0)}", "-12"),
    ("${int('12') + float('0.5')}", 12.5), ("${string(n) & concat('x', 1)}", "3x1"),
    ("${trim('  x ')}", "x"), ("${bool('x')}", true), ("${mod(7, 4)}", 3),
  ]

  @Test(arguments: expressions)
  func `a text is filled with the values of its expressions`(
    template: String, value: Value
  ) async throws {
    #expect(try await Self.filled("[[\(template.replacing(#"\\"#, with: #"\"#))]]") == value)
  }

  static let elements: [(String, Value)] = [
    (
      #"{ { ["$data"] = "${items}", text = "${t} ${$index} of ${count($root.items)}" } }"#,
      [["text": "a 0 of 2"], ["text": "b 1 of 2"]]
    ),
    (
      #"{ { ["$data"] = "${items}", ["$when"] = "${ok}", text = "${t}" }, "x" }"#,
      [["text": "a"], "x"]
    ),
    (#"{ { ["$when"] = "${n > 5}", a = 1 }, { ["$when"] = true, a = 2 } }"#, [["a": 2]]),
    (#"{ ["$data"] = "${deep}", text = "${x[0]}" }"#, ["text": "p"]),
    (#"{ ["$data"] = { x = "y" }, text = "${x}" }"#, ["text": "y"]),
    (#"{ { ["$data"] = "${empty}", a = 1 } }"#, []),
    (
      #"{ { ["$data"] = "${items}", inner = { { ["$data"] = "${$root.deep.x}", v = "${$data}" } } } }"#,
      [
        ["inner": [["v": "p"], ["v": "q"]]], ["inner": [["v": "p"], ["v": "q"]]],
      ]
    ),
    ("{ a = 1, b = false, c = { 1, true } }", ["a": 1, "b": false, "c": [1, true]]),
  ]

  @Test(arguments: elements)
  func `elements are repeated over data and left out by conditions`(
    template: String, value: Value
  ) async throws {
    #expect(try await Self.filled(template) == value)
  }

  @Test(arguments: [
    ("'${a +}'", "something is missing at the end in ${a +}"),
    ("'${foo(1)}'", "there is no function 'foo' in ${foo(1)}"),
    ("'${1 2}'", "'2' is too much in ${1 2}"), ("'${(1}'", "')' is missing in ${(1}"),
    ("'${#}'", "'#' means nothing in ${#}"), ("'${a.}'", "a name is missing after a dot in ${a.}"),
    ("'${' .. ('('):rep(50) .. '}'", "there is too much in each other"),
    ("'${' .. ('1+'):rep(2000) .. '1}'", "is too long"),
    ("(function() local t = {} t.t = t return t end)()", "too many in each other"),
    ("(function() local t = {} t[1] = t return t end)()", "too many in each other"),
    (
      "{ { ['$data'] = (function() local t = {} for i = 1, 30000 do t[i] = i end return t end)(),"
        + " a = 1 } }", "too many parts"
    ),
  ])
  func `a wrong template is an error of the line that fills it`(
    template: String, reason: String
  ) async throws {
    let bench = try await Bench([
      "m.lua": """
      local moon = require "moonwire"
      moon.ui.template({ v = \(template) }, {})
      return {}
      """
    ])
    let problem = try #require(await bench.info("m")?.problems.first?.description)
    #expect(problem.contains("ui.template: ") && problem.contains(reason), "\(problem)")
    #expect(problem.contains("m.lua:2"), "\(problem)")
  }
}
