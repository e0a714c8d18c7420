import MoonTestSupport
import MoonValues

/// A random Lua program that reads and changes a table called `state`.
///
/// It avoids legitimate differences between a draft and a table: keys of two kinds, cycles, `#` of
/// a table with holes, and changes to a new table after it was stored.
struct RandomProgram {
  /// One statement, or a block of them.
  enum Statement {
    case line(String)
    case block(head: String, body: [Statement], tail: String)

    var text: String {
      switch self {
      case .line(let line): line
      case .block(let head, let body, let tail):
        "\(head)\n\(body.map(\.text).joined(separator: "\n"))\n\(tail)"
      }
    }
  }

  static let localCount = 5
  static let statementMax = 16

  let slice: Value
  var statements: [Statement] = []
  var random: SplitMix64

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    var trees = RandomTrees(seed: random.next())
    var entries: [(Key, Value)] = []
    for name in ["a", "b", "c"] { entries.append((.string(Text(name)), trees.tree(depth: 3))) }
    slice = Value.map(Map(entries)).asLuaHasIt
    for _ in 0..<2 + random.below(Self.statementMax) { statements.append(statement(depth: 2)) }
    if random.below(6) == 0 { statements.append(.line(ending())) }
  }

  var body: String { statements.map(\.text).joined(separator: "\n") }

  /// A text that returns a reducer, and a function that has the same effect on a table.
  var source: String {
    """
    local t = require 'tools'
    local moon = require 'moonwire'
    local T, kind, put, dense, link, tell = t.T, t.kind, t.put, t.dense, t.link, t.tell
    local scalars, show = t.scalars, t.show
    local function body(state, is_draft)
      local l1, l2, l3, l4, l5
      local say = t.say
    \(body)
    end
    local function whole(state, is_draft)
      t.state = state
      local heard = {}
      t.heard = heard
      local result = body(state, is_draft)
      moon.call(1, table.concat(heard, '\\n'))
      if result == nil then return state end
      return result
    end
    return whole, function(state, is_draft) return whole(state, is_draft) end
    """
  }

  /// The programs with one statement fewer, or with a block's statements in place of the block.
  var smaller: [RandomProgram] {
    Self.smaller(statements).map { statements in
      var copy = self
      copy.statements = statements
      return copy
    }
  }

  private static func smaller(_ statements: [Statement]) -> [[Statement]] {
    statements.indices.flatMap { index -> [[Statement]] in
      let before = Array(statements[..<index])
      let after = Array(statements[(index + 1)...])
      guard case .block(let head, let body, let tail) = statements[index] else {
        return [before + after]
      }
      return [before + after, before + body + after]
        + smaller(body).map { before + [.block(head: head, body: $0, tail: tail)] + after }
    }
  }

  /// Functions that programs use: guards against legitimate differences, and ways to report values.
  static let tools = """
    local t = {}
    function t.say(text) t.heard[#t.heard + 1] = text end
    function t.T(x) if type(x) == 'table' then return x end return t.state end
    function t.kind(x)
      local k = next(x)
      if k == nil then return 'empty' end
      return type(k) == 'number' and 'int' or 'text'
    end
    local function fits(x, k)
      local kind = t.kind(x)
      return kind == 'empty' or (kind == 'int') == (type(k) == 'number')
    end
    function t.put(x, k, v) if v == nil or fits(x, k) then x[k] = v end end
    -- Whether the keys are 1...n.
    function t.dense(x)
      local count = 0
      for k in pairs(x) do
        if type(k) ~= 'number' then return false end
        count = count + 1
      end
      for i = 1, count do if x[i] == nil then return false end end
      return true
    end
    local function size(x)
      if type(x) ~= 'table' then return 1 end
      local n = 1
      for _, v in pairs(x) do n = n + size(v) if n > 400 then return n end end
      return n
    end
    local function depth(x)
      if type(x) ~= 'table' then return 0 end
      local n = 0
      for _, v in pairs(x) do n = math.max(n, depth(v)) end
      return n + 1
    end
    local function holds(x, y)
      if x == y then return true end
      if type(x) ~= 'table' then return false end
      for _, v in pairs(x) do if type(v) == 'table' and holds(v, y) then return true end end
      return false
    end
    -- Whether v may be stored in x: no cycle, not too large.
    function t.may(x, v)
      if type(v) ~= 'table' then return true end
      return not holds(v, x) and size(t.state) + size(v) < 400 and depth(t.state) + depth(v) < 20
    end
    function t.link(x, k, v) if fits(x, k) and t.may(x, v) then x[k] = v end end
    function t.scalars(x)
      for _, v in ipairs(x) do if type(v) ~= 'number' then return false end end
      return true
    end
    function t.show(x, level)
      level = level or 0
      if math.type(x) == 'float' then return string.format('%a', x) end
      if type(x) ~= 'table' then return tostring(x) end
      if level > 6 then return '{...}' end
      local parts = {}
      for k, v in pairs(x) do
        parts[#parts + 1] = math.type(k) == 'float' and 'float!' or tostring(k)
        parts[#parts + 1] = t.show(v, level + 1)
      end
      return '{' .. table.concat(parts, ',') .. '}'
    end
    function t.tell(...) for i = 1, select('#', ...) do t.say(t.show((select(i, ...)))) end end
    return t
    """
}
