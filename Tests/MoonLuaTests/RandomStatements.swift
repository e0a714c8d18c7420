import MoonTestSupport
import MoonValues

extension RandomProgram {
  private mutating func local() -> String { "l\(1 + random.below(Self.localCount))" }

  /// Returns an expression for a table: a local if one holds a table, else the whole state.
  private mutating func table() -> String {
    switch random.below(6) {
    case 0: "state"
    case 1: "T(state.\(random.pick(["a", "b", "c"])))"
    case 2: "T(T(state.\(random.pick(["a", "b", "c"])))[\(key())])"
    default: "T(\(local()))"
    }
  }

  private mutating func key() -> String {
    random.pick([
      "'a'", "'b'", "'c'", "'d'", "''", "'a key that is longer than fifteen bytes'", "1", "1", "2",
      "3", "4", "7", "0", "-1", "2.0", "math.maxinteger", "math.mininteger",
    ])
  }

  private mutating func scalar() -> String {
    random.pick([
      "1", "2", "0", "-7", "2.5", "-0.0", "1e300", "true", "false", "'x'", "''",
      "'a text that does not fit into two words'", "moon.null", "math.maxinteger",
      "('long'):rep(20)", "\(random.below(100))",
    ])
  }

  /// Returns a scalar or a new table.
  private mutating func fresh(depth: Int = 2) -> String {
    guard depth > 0, random.below(2) == 0 else { return scalar() }
    switch random.below(5) {
    case 0: return "{}"
    case 1: return "moon.list()"
    case 2: return "{a = \(fresh(depth: depth - 1)), c = \(fresh(depth: depth - 1))}"
    case 3: return "{[3] = \(fresh(depth: depth - 1))}"
    default: return "{\(fresh(depth: depth - 1)), \(fresh(depth: depth - 1)), \(scalar())}"
    }
  }

  mutating func ending() -> String {
    random.pick([
      "do return state end", "do return T(\(local())) end",
      "do return {x = \(local()), list = {\(local()) or 1, T(\(local()))}} end",
      "do return {} end",
    ])
  }

  mutating func statement(depth: Int) -> Statement {
    switch random.below(30) {
    case 0 where depth > 0:
      return .block(
        head: "for i = 1, \(1 + random.below(3)) do", body: statements(depth - 1), tail: "end")
    case 1 where depth > 0:
      return .block(
        head: "if \(local()) == nil or \(table())[\(key())] then", body: statements(depth - 1),
        tail: "end")
    case 0...2: return .line("tell(\(table())[\(key())], \(local()))")
    case 3, 4, 5, 6: return .line("\(local()) = \(table())[\(key())]")
    case 7, 8, 9: return .line("put(\(table()), \(key()), \(fresh()))")
    case 10: return .line("put(\(table()), \(key()), nil)")
    case 11, 12:
      return .line("link(\(table()), \(key()), \(random.below(2) == 0 ? local() : table()))")
    case 13: return .line(detached())
    case 14, 15: return .line(inserted())
    case 16: return .line(removed())
    case 17: return .line(sorted())
    case 18, 19: return .line(traversal())
    case 20: return .line(moved())
    case 21: return .line(raw())
    case 22: return .line(swapped())
    case 23: return .line("tell(\(table()))")
    case 24: return .line("tell(\(local()) == \(local()), \(table()) == \(table()))")
    case 25: return .line(numbers())
    case 26: return .line(joined())
    case 27: return .line(rotated())
    case 28: return .line(cleared())
    default: return .line(kinds())
    }
  }

  private mutating func statements(_ depth: Int) -> [Statement] {
    (0..<1 + random.below(3)).map { _ in statement(depth: depth) }
  }

  private mutating func detached() -> String {
    let key = key()
    return """
      do local x = \(table()) local v = x[\(key)] x[\(key)] = nil
        link(\(table()), \(self.key()), v) \(local()) = v end
      """
  }

  private mutating func inserted() -> String {
    let value = random.below(3) == 0 ? local() : fresh()
    let place = random.below(2) == 0 ? "" : "1 + \(random.below(6)) % (#x + 1), "
    return """
      do local x, v = \(table()), \(value) if v == nil then v = 0 end
        if dense(x) and t.may(x, v) then table.insert(x, \(place)v) end end
      """
  }

  private mutating func removed() -> String {
    let place = random.below(2) == 0 ? "" : ", 1 + \(random.below(6)) % (#x + 1)"
    return """
      do local x = \(table())
        if dense(x) then \(local()) = table.remove(x\(place)) tell(#x) end end
      """
  }

  private mutating func sorted() -> String {
    let order = random.pick([
      "", ", function(a, b) return a > b end", ", function(a, b) return a // 3 < b // 3 end",
    ])
    return """
      do local x = \(table()) if dense(x) and scalars(x) then table.sort(x\(order))
        elseif dense(x) then table.sort(x, function(a, b) return show(a) < show(b) end) end end
      """
  }

  private mutating func traversal() -> String {
    let act = random.pick([
      "tell(k, v)", "if math.type(v) == 'integer' then x[k] = v + 1 end",
      "if type(v) ~= 'table' then x[k] = nil end", "\(local()) = v",
      "if type(v) == 'table' then put(v, 'a', k) end", "x[k] = \(fresh(depth: 1))",
    ])
    let head = random.pick(["pairs(x)", "next, x", "pairs(x)"])
    if random.below(4) == 0 {
      return "do local x = \(table()) for k, v in ipairs(x) do tell(k, v) \(local()) = v end end"
    }
    return "do local x = \(table()) for k, v in \(head) do \(act) end end"
  }

  private mutating func moved() -> String {
    let into = random.below(2) == 0 ? "x" : table()
    return """
      do local x, y = \(table()), \(into)
        local ok = dense(x) and dense(y) and t.may(y, x)
        for _, v in ipairs(x) do ok = ok and t.may(y, v) end
        if x == y then ok = dense(x) end
        if ok and #x < 20 then table.move(x, 1, #x, \(1 + random.below(2)), y) end end
      """
  }

  private mutating func raw() -> String {
    let key = key()
    return """
      do local x = \(table()) tell(rawget(x, \(key)), rawequal(x, \(table())))
        if dense(x) then tell(rawlen(x)) end
        if kind(x) == (type(\(key)) == 'number' and 'int' or 'text') then
          tell(rawset(x, \(key), \(scalar())) == x) end end
      """
  }

  private mutating func swapped() -> String {
    "do local x = \(table()) if dense(x) and #x > 1 then x[1], x[#x] = x[#x], x[1] end end"
  }

  private mutating func numbers() -> String {
    let key = key()
    return """
      do local x = \(table())
        if math.type(x[\(key)]) == 'integer' then x[\(key)] = x[\(key)] * 2 + 1 end end
      """
  }

  private mutating func joined() -> String {
    """
    do local x = \(table()) if dense(x) then tell(select('#', table.unpack(x)), (table.unpack(x)))
      if scalars(x) then tell(table.concat(x, ',')) end end end
    """
  }

  private mutating func rotated() -> String {
    """
    do local x = \(table()) if dense(x) and #x > 0 then
      local v = table.remove(x, 1) if t.may(x, v) then x[#x + 1] = v end end end
    """
  }

  private mutating func cleared() -> String {
    "do local x = \(table()) for k in pairs(x) do x[k] = nil end tell(next(x)) end"
  }

  private mutating func kinds() -> String {
    """
    do local x = \(table()) tell(type(x), kind(x), next(x), getmetatable(x) == nil,
      pcall(rawlen, 1) == false) end
    """
  }
}
