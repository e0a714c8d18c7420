import MoonCards
import MoonTestSupport
import MoonValues
import Testing

/// Returns the texts of a card's lines.
func lines(_ body: Value, width: Int = 60, inputs: Map = Map()) throws -> [String] {
  try Card(body).lines(width: width, inputs: inputs).map(\.text)
}

/// Returns the error of a body; nil if it has none.
func cardError(_ body: Value, at path: Path = Path([.key("body")])) -> CardError? {
  failure { () throws(CardError) in try Card(body, at: path) }
}

func text(_ text: String, _ fields: (Key, Value)...) -> Value {
  .map(Map([("type", "TextBlock"), ("text", .string(Text(text))), ("wrap", true)] + fields))
}

func heading(_ words: String) -> Value { text(words, ("style", "heading")) }

func execute(_ title: String, _ verb: String, _ fields: (Key, Value)...) -> Value {
  .map(
    Map(
      [
        ("type", "Action.Execute"), ("title", .string(Text(title))), ("verb", .string(Text(verb))),
      ] + fields))
}

func open(_ title: String, _ url: String) -> Value {
  [
    "type": "Action.OpenUrl", "title": .string(Text(title)), "url": .string(Text(url)),
  ]
}

func container(_ items: [Value], _ fields: (Key, Value)...) -> Value {
  .map(Map([("type", "Container"), ("items", .list(List(items)))] + fields))
}
