import MoonLua
import MoonTestSupport
import MoonValues
import Testing

/// The functions for patterns, compared with those of the system's Lua.
///
/// The same script of random cases runs in both, and must give the same results. `scripts/fuzz/run
/// patterns` compares millions in C.
struct StringLibraryTests {
  /// The number of cases in one run of the script.
  static let casesPerRun = 250

  /// Makes cases from a seed and returns their results; the cases in `skip` aren't run.
  static let script = """
    local seed, count, skip = ...
    local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub
    local function below(n)
      seed = (seed * 1103515245 + 12345) % 2147483648
      return (seed >> 8) % n
    end
    local pieces = {
      'a', 'b', 'ab', '.', '%a', '%d', '%s', '%w', '%W', '%p', '%x', '%u', '%l', '%c', '%g', '%D',
      '%%', '%.', '[ab]', '[^a]', '[a-c]', '[%a_]', '[^%s]', '[]]', '[^]]', '[a-]', '[%-a]', '[-a]',
      '*', '+', '-', '?', '*', '+', '-', '?', '(', ')', '(', ')', '()', '^', '$', '%b()', '%bab',
      '%f[%a]', '%f[^a]', '%f[%z]', '%1', '%2', '%0', '(.-)', '(a*)', '.*', '.-', '[', ']', '%',
      '%b', '%f', '[^', '[%', 'x', '1', ' ', '_', '\\200', '\\255', 'Z', '(.)%1',
    }
    local letters = 'aaabbbcxZ12 _()[]%.-\\t\\200\\255'
    local replacements = {'x', '%1', '%0', '%2', '%%', '-', '%', '%a', 'ab'}
    local function row(choices, most)
      local parts = {}
      for i = 1, below(most) do parts[i] = choices[below(#choices) + 1] end
      return table.concat(parts)
    end
    local function text()
      local parts = {}
      for i = 1, below(below(3) == 0 and 30 or 10) do
        local at = below(#letters) + 1
        parts[i] = letters:sub(at, at)
      end
      return table.concat(parts)
    end
    local function all(s, p, init)
      local found = {}
      for a, b, c in gmatch(s, p, init) do
        found[#found + 1] = tostring(a) .. ',' .. tostring(b) .. ',' .. tostring(c)
        if #found > 40 then break end
      end
      return table.concat(found, '|')
    end
    local function said(ok, ...)
      local parts = table.pack(...)
      for i = 1, parts.n do
        parts[i] = (math.type(parts[i]) or '') .. tostring(parts[i])
      end
      return tostring(ok) .. ':' .. table.concat(parts, ',')
    end
    local map = {a = 'A', b = false, ['1'] = 1, ab = '<>'}
    local function call(x) if x == 'b' then return nil end return tostring(x) .. ';' end
    local function hex(s) return (gsub(s, '.', function(c) return ('%02x'):format(c:byte()) end)) end
    local answers = {}
    for number = 1, count do
      local s, p, r = text(), row(pieces, below(4) == 0 and 12 or 6), row(replacements, 4)
      local init, most, kind = nil, nil, below(7)
      if below(3) == 0 then init = below(50) - 20 end
      if below(3) == 0 then most = below(6) - 1 end
      local answer = 'skipped'
      if not skip[number] then
        if kind == 0 then answer = said(pcall(find, s, p, init))
        elseif kind == 1 then answer = said(pcall(match, s, p, init))
        elseif kind == 2 then answer = said(pcall(all, s, p, init))
        elseif kind == 3 then answer = said(pcall(gsub, s, p, r, most))
        elseif kind == 4 then answer = said(pcall(gsub, s, p, map, most))
        elseif kind == 5 then answer = said(pcall(gsub, s, p, call, most))
        else answer = said(pcall(find, s, p, init, true)) end
      end
      answers[number] = ('%d %s %s %s %s %s: %s'):format(
        kind, hex(s), hex(p), hex(r), tostring(init), tostring(most), hex(answer))
    end
    return table.concat(answers, '\\n')
    """

  @Test func `patterns do what the system's Lua does with them`() throws {
    // The seed of a run is its case. The machine is new, since it counts the script's time.
    let failure = Fuzzing("string-library", cases: 100).firstFailure(
      make: { Array(String($0.below(1 << 30)).utf8) },
      check: { bytes, _ in
        do {
          return try Self.problem(seed: String(decoding: bytes, as: UTF8.self))
        } catch {
          return "\(error)"
        }
      })
    #expect(failure == nil, "\(failure ?? "")")
  }

  private static func problem(seed: String) throws -> String? {
    let lua = try TestMachine()
    let own = try lua.text(source(seed, skip: []))?.split(separator: "\n") ?? []
    guard own.count == casesPerRun else { return "\(own.count) answers" }
    // The system's functions have no limit on steps, and might not end.
    let limit = "too many".utf8.map { String($0, radix: 16) }.joined()
    let skip = own.indices.filter { own[$0].contains(limit) }
    let other = try SystemLua.text(source(seed, skip: skip)).split(separator: "\n")
    guard other.count == casesPerRun else { return "the system gives \(other.count) answers" }
    for index in own.indices where !skip.contains(index) && own[index] != other[index] {
      return "case \(index + 1):\n    ours:     \(own[index])\n    system's: \(other[index])"
    }
    return nil
  }

  private static func source(_ seed: String, skip: [Int]) -> String {
    let table = skip.map { "[\($0 + 1)] = true" }.joined(separator: ", ")
    return "return (function(...) \(script)\nend)(\(seed), \(casesPerRun), {\(table)})"
  }
}
