package import MoonValues

/// The form of a route's URLs, parsed from a pattern's text.
///
/// Grammar (JLRoutes', with types and suffixes added):
///
/// ```
/// pattern   := [scheme "://"] { "/" | component | "(" pattern ")" }
/// component := { text | parameter } ["#"] | ":" | "*"
/// parameter := ":" name ["<" type ">"]
/// ```
///
/// - Slashes separate and are otherwise insignificant: leading, trailing and doubled ones are
///   ignored. A group's parentheses separate as well.
/// - Literals are compared byte for byte with the URL's undecoded component; characters that a URL
///   can't hold (spaces, non-ASCII) are percent-encoded first, on both sides.
/// - `:name` takes a text that isn't empty; `:` alone is a parameter named `:`. A name consists of
///   letters, digits, `_`, `-` and non-ASCII characters; hyphens before a colon aren't a part of
///   it.
/// - The text around parameters must be in the URL and isn't part of a value: `@:user`,
///   `:name.jpg`, `:base...:head`. There must be some between two parameters. Values are as short
///   as their types allow, from left to right. `::` is a colon in a text.
/// - `*` must be the last component and captures all remaining ones, if any.
/// - `(…)` may be absent; groups nest. A `#` ending a component begins the URL's fragment.
/// - The text after the `#` can't begin with `name=value`, since a URL's parameters are read from
///   that.
/// - The scheme is a namespace: `shop://item/:id` and `shop:///item/:id` are the same. The case of
///   letters in the scheme and in the component after it doesn't matter.
package struct RoutePattern: Hashable, Sendable {
  /// The maximum length of a pattern in bytes of UTF-8, far more than a person writes.
  package static let byteCountMax = 2048
  /// The maximum number of components, including those in groups, and counting each parameter of a
  /// component that has several.
  ///
  /// It bounds the depth of the trie and of the recursion in matching.
  package static let componentCountMax = 32
  /// The maximum number of groups, including nested ones.
  package static let groupCountMax = 12
  /// The maximum number of variants of a pattern, as many as six groups side by side have.
  ///
  /// Each is an entry of the trie.
  package static let variantCountMax = 64

  /// A component of a pattern.
  package struct Component: Hashable, Sendable {
    /// The kinds of text that a component accepts.
    package enum Kind: Hashable, Sendable {
      /// This text, percent-encoded as in a URL, including the `#` that ends it.
      case literal(Text)
      /// One component with parameters, in order.
      case parameters([Parameter])
      /// All remaining components of the URL.
      case wildcard
    }

    /// The text that the component accepts.
    package let kind: Kind
    /// Whether the component is in a group and may therefore be absent.
    package var isOptional: Bool { group >= 0 }
    /// The innermost group; -1 for none.
    let group: Int
    /// The offset in the pattern's text, in bytes.
    let source: Range<Int>
  }

  /// A part that a pattern captures from one component.
  package struct Parameter: Hashable, Sendable {
    /// The name of the parameter.
    package let name: Text
    /// The type of the value.
    package let type: ParameterType
    /// The text that must precede the value in the same component, percent-encoded; often empty.
    package let prefix: Text
    /// The text that must follow the value at the end of the same component, percent-encoded; often
    /// empty.
    package internal(set) var suffix: Text
    /// Whether the pattern marks the component as the last one before the fragment.
    let endsPath: Bool
  }

  /// The text it was parsed from.
  package let text: Text
  /// The namespace; nil for the global one.
  package let scheme: Text?
  /// The components in order, including those in groups.
  package let components: [Component]
  /// The parent of each group; -1 for none.
  let groupParents: [Int]
  /// Whether there are groups, which URLs may omit.
  package var hasGroups: Bool { !groupParents.isEmpty }

  /// Parses a pattern.
  ///
  /// - Throws: ``RoutePatternError`` with the column of the problem.
  package init(parsing text: Text) throws(RoutePatternError) {
    var parser = PatternParser(text)
    try parser.parse()
    self.text = text
    scheme = parser.scheme
    components = parser.components
    groupParents = parser.groupParents
    if let column = parser.fragmentColumn, hasParametersInFragment {
      throw .parametersInFragment(column: column)
    }
  }

  /// The pattern `/`.
  package static let root = RoutePattern()

  private init() {
    (text, scheme, components, groupParents) = ("/", nil, [], [])
  }

  /// Whether the fragment of a URL for some variant would be read as parameters, so that the URL
  /// wouldn't match.
  private var hasParametersInFragment: Bool {
    let bytes = text.bytes
    return variants.contains { variant in
      // Without insignificant slashes, as `/a#k=/` is the path of `/a#k=`.
      let path = variant.components.map { bytes[components[$0].source] }.joined(separator: [.slash])
      return FragmentRule.isParameters(Array(path.drop { $0 != .hash }.dropFirst())[...])
    }
  }

  /// The parameters' names in order, without the wildcard.
  package var parameterNames: [Text] { parameters.map(\.name) }

  /// The parameters in order, without the wildcard.
  package var parameters: [Parameter] {
    components.flatMap { component -> [Parameter] in
      if case .parameters(let all) = component.kind { all } else { [] }
    }
  }

  /// Whether it ends with a wildcard.
  package var hasWildcard: Bool { components.last?.kind == .wildcard }

  /// The texts of the variants without groups, the longest first.
  ///
  /// A pattern without groups has only its own text.
  ///
  /// - Complexity: O(variants × length), and there are at most ``variantCountMax``.
  package var expandedTexts: [Text] {
    let texts = variants.map { expandedText($0) }
    let order = texts.indices.sorted {
      (-texts[$0].utf8Count, $0) < (-texts[$1].utf8Count, $1)
    }
    return order.map { texts[$0] }
  }
}

extension RoutePattern: CustomStringConvertible {
  /// The text it was parsed from.
  package var description: String { text.string }
}
