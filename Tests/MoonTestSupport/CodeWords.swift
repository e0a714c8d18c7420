/// Words that only code would contain: camel case, `Optional(…)`, labels of arguments.
package enum CodeWords {
  package static func are(in text: String) -> Bool {
    text.contains(/\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\w\(\w+: |Optional|Swift\./)
  }
}
