public import MoonActions
public import MoonValues

/// The elements of a view.
public struct ElementList {
  private var result: Result<[Value], ValueCodingError>

  init(_ values: [Value]) { result = .success(values) }
  init(_ element: Element) { result = element.result.map { [$0] } }

  init(_ parts: [ElementList]) {
    var values: [Value] = []
    for part in parts {
      switch part.result {
      case .success(let more): values += more
      case .failure:
        self = part
        return
      }
    }
    result = .success(values)
  }

  /// The list that a view returns.
  ///
  /// - Throws: ``ValueCodingError`` if the payload of a button can't be encoded.
  func list() throws(ValueCodingError) -> Value { .list(List(try result.get())) }
}

/// An element of a view, in the schema of <doc:Elements>.
public struct Element {
  let result: Result<Value, ValueCodingError>

  /// Makes an element of its type and its other fields.
  public init(_ type: Text, _ fields: Map = Map()) {
    var fields = fields
    fields["type"] = .string(type)
    result = .success(.map(fields))
  }

  private init(_ result: Result<Value, ValueCodingError>) { self.result = result }

  /// A text that wraps.
  public static func text(_ text: String) -> Element {
    Element("TextBlock", ["text": .string(Text(text)), "wrap": true])
  }

  /// A heading above a part of the screen.
  public static func heading(_ text: String) -> Element {
    Element("TextBlock", ["text": .string(Text(text)), "wrap": true, "style": "heading"])
  }

  /// Pairs of a name and a value.
  public static func facts(_ facts: KeyValuePairs<String, String>) -> Element {
    let facts = facts.map { name, value -> Value in
      ["title": .string(Text(name)), "value": .string(Text(value))]
    }
    return Element("FactSet", ["facts": .list(List(facts))])
  }

  /// A field for a line of text, whose value buttons put into the payload under its id.
  public static func input(_ id: String, label: String? = nil) -> Element {
    var fields: Map = ["id": .string(Text(id))]
    fields["label"] = label.map { .string(Text($0)) }
    return Element("Input.Text", fields)
  }

  /// A place with a name, which is unique on the screen, where other modules put elements.
  public static func slot(_ name: String) -> Element {
    Element("Slot", ["name": .string(Text(name))])
  }

  /// A button that dispatches an action, with the values of the screen's inputs in its payload.
  ///
  /// A value of an input takes the place of the payload's under its id. With `inputs` false, the
  /// payload is sent as it is.
  public static func button(
    _ title: String, _ action: some TypedAction, inputs: Bool = true
  ) -> Element {
    do throws(ValueCodingError) {
      return button(title, try Action(action), inputs: inputs)
    } catch {
      return Element(.failure(error))
    }
  }

  /// A button that dispatches an action, with the values of the screen's inputs in its payload.
  public static func button(_ title: String, _ action: Action, inputs: Bool = true) -> Element {
    var fields: Map = ["title": .string(Text(title)), "verb": .string(action.type)]
    if action.payload != .null { fields["data"] = action.payload }
    if !inputs { fields["associatedInputs"] = "none" }
    return Element("Action.Execute", fields)
  }

  /// A button that opens a URL.
  public static func button(_ title: String, opening url: Text) -> Element {
    Element("Action.OpenUrl", ["title": .string(Text(title)), "url": .string(url)])
  }
}

/// Puts the elements of a view together; a string is a text.
@resultBuilder public enum ElementsBuilder {
  /// Takes a text.
  public static func buildExpression(_ text: String) -> ElementList { ElementList(.text(text)) }
  /// Takes an element.
  public static func buildExpression(_ element: Element) -> ElementList { ElementList(element) }
  /// Takes elements that are data, as `moon.ui` makes them.
  public static func buildExpression(_ values: [Value]) -> ElementList { ElementList(values) }
  /// Takes elements that were put together before.
  public static func buildExpression(_ elements: ElementList) -> ElementList { elements }
  /// Puts elements together.
  public static func buildBlock(_ parts: ElementList...) -> ElementList { ElementList(parts) }
  /// Takes the elements of an `if` without `else`.
  public static func buildOptional(_ part: ElementList?) -> ElementList {
    part ?? ElementList([Value]())
  }
  /// Takes the elements of an `if`.
  public static func buildEither(first part: ElementList) -> ElementList { part }
  /// Takes the elements of an `else`.
  public static func buildEither(second part: ElementList) -> ElementList { part }
  /// Takes the elements of a loop.
  public static func buildArray(_ parts: [ElementList]) -> ElementList { ElementList(parts) }
}
