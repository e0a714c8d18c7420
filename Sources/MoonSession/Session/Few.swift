/// A list that mostly has one element or none, and then takes no memory of its own.
///
/// Making, filling and freeing an array takes 600 instructions.
enum Few<Element> {
  case none
  case one(Element)
  case many([Element])

  /// Makes an empty list.
  init() { self = .none }

  mutating func append(_ element: consuming Element) {
    switch self {
    case .none: self = .one(element)
    case .one(let first): self = .many([first, element])
    case .many(var all):
      // Not held twice, so that the array isn't copied.
      self = .none
      all.append(element)
      self = .many(all)
    }
  }

  mutating func append(contentsOf others: Few<Element>) {
    if isEmpty { self = others } else { others.visit { append($0) } }
  }

  /// Visits the elements in order, each copied once, unlike in a loop.
  func visit(_ body: (Element) -> Void) {
    switch self {
    case .none: break
    case .one(let element): body(element)
    case .many(let all): all.forEach(body)
    }
  }
}

extension Few: RandomAccessCollection {
  var startIndex: Int { 0 }

  var endIndex: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .many(let all): all.count
    }
  }

  subscript(position: Int) -> Element {
    switch self {
    case .one(let element) where position == 0: return element
    case .many(let all): return all[position]
    case .none, .one: preconditionFailure("position out of the list's range")
    }
  }
}
