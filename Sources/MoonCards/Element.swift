import MoonValues

/// One part of a screen, as read.
struct Element: Equatable, Sendable {
  var id: Text?
  var isVisible = true
  var spacing = Spacing.standard
  var hasSeparator = false
  /// Nil lets the container decide.
  var alignment: Alignment?
  var selectAction: Action?
  /// Which rows of a list its elements are; nil if it isn't a list, or has all of its rows.
  var list: CardList?
  /// Whether a detail of it is left out because it is wrong.
  var isFlawed = false
  /// Whether it holds the actions of a menu, which can also be used while it is hidden.
  var isMenu = false
  var content: Content

  enum Content: Equatable, Sendable {
    case text(TextBlock)
    /// A text of several runs.
    case rich([TextRun])
    /// An image, with the image itself if the card has it.
    case image(alternative: Text?, CardImage? = nil)
    case container(ContainerStyle, [Element])
    case columns([Column])
    case facts([Fact])
    case progress(Progress)
    case chart(Chart)
    case table(Table)
    case actions([Action])
    case input(CardInput)
    /// A placeholder for an element of an unknown type.
    case placeholder(type: Text)
  }
}

/// The properties of each kind of content, apart from its reading and its looks.
extension Element.Content {
  /// Contents that belong together without a blank line.
  enum Family { case text, facts, table, box, actions, input }

  var family: Family {
    switch self {
    case .text, .rich, .image, .progress, .placeholder: .text
    case .chart: .table
    case .container, .columns: .box
    case .facts: .facts
    case .table: .table
    case .actions: .actions
    case .input: .input
    }
  }

  /// Whether a person can do something to the element as a whole.
  var isSelectable: Bool {
    switch self {
    case .image, .container, .columns, .table: true
    case .text, .rich, .facts, .progress, .chart, .actions, .input, .placeholder: false
    }
  }

  /// The elements that it holds, in reading order.
  var children: [Element] {
    switch self {
    case .container(_, let items): items
    case .columns(let columns): columns.map(\.element)
    case .table(let table): table.rows.flatMap(\.cells)
    case .text, .rich, .image, .facts, .progress, .chart, .actions, .input, .placeholder: []
    }
  }

  /// Its first text; nil if that is one of its children's.
  var title: Text? {
    switch self {
    case .text(let block): block.text
    case .rich(let runs): runs.first?.text ?? ""
    case .image(let alternative, _): alternative ?? ""
    case .facts(let facts): facts.first?.title ?? ""
    case .container, .columns, .table: nil
    case .chart(let chart): chart.title ?? ""
    case .progress, .actions, .input, .placeholder: ""
    }
  }
}

/// The distance to the element above.
enum Spacing: String, CaseIterable {
  case standard = "default"
  case none, small, medium, large, extraLarge, padding
}

enum Alignment: String, CaseIterable {
  case left, center, right
}

/// The meaning that a container gives to its elements.
enum ContainerStyle: String, CaseIterable {
  case plain = "default"
  case emphasis, good, attention, warning, accent
}

/// The style of a piece of text.
struct TextStyle: Equatable, Sendable {
  enum Size: String, CaseIterable { case standard = "default", small, medium, large, extraLarge }
  enum Weight: String, CaseIterable { case standard = "default", lighter, bolder }
  enum Color: String, CaseIterable {
    case standard = "default"
    case dark, light, accent, good, warning, attention
  }

  var size = Size.standard
  var weight = Weight.standard
  var color = Color.standard
  var isSubtle = false
  var isHeading = false

  /// The most significant role.
  var role: CardRole {
    if isHeading || size == .large || size == .extraLarge { return .heading }
    switch color {
    case .accent: return .accent
    case .good: return .good
    case .warning: return .warning
    case .attention: return .attention
    case .standard, .dark, .light: break
    }
    if weight == .bolder { return .strong }
    return isSubtle || weight == .lighter ? .subtle : .plain
  }
}

struct TextBlock: Equatable, Sendable {
  var text: Text
  var style = TextStyle()
  var wraps = true
  var lineCountMax: Int?
}

struct TextRun: Equatable, Sendable {
  var text: Text
  var style = TextStyle()
  var selectAction: Action?
}

/// The progress of something.
struct Progress: Equatable, Sendable {
  /// The part that is done, from 0 to 1; nil if unknown.
  var fraction: Double?
  var color = TextStyle.Color.accent
}

/// Figures as a picture.
struct Chart: Equatable, Sendable {
  enum Kind: Equatable, Sendable { case bars, line }

  struct Point: Equatable, Sendable {
    var title: Text
    var value: Double
    /// The value as it is shown.
    var figure: String
  }

  struct Series: Equatable, Sendable {
    var title: Text = ""
    var points: [Point]
  }

  var title: Text?
  var kind: Kind
  var series: [Series] = []
  var color = TextStyle.Color.accent
}

struct Fact: Equatable, Sendable {
  var title: Text
  var value: Text
}

struct Column: Equatable, Sendable {
  enum Width: Equatable, Sendable {
    case auto
    case stretch
    /// A share of the width that other columns leave free.
    case share(Double)
    case fixed(Int)

    /// The approximate width of a character on a page.
    static let pixelsPerCharacter = 8
  }

  /// A container.
  var element: Element
  var width = Width.stretch
}

struct Table: Equatable, Sendable {
  struct Row: Equatable, Sendable {
    /// Containers.
    var cells: [Element]
  }

  var alignments: [Alignment?]
  var rows: [Row]
  var hasHeader: Bool

  var columnCount: Int { max(alignments.count, rows.map(\.cells.count).max() ?? 0) }
}

/// Something that a person can do.
struct Action: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case open(url: Text)
    case execute(verb: Text, Submission)
    case submit(verb: Text?, Submission)
    case toggleVisibility([CardVisibilityChange])
    /// Shows the card with an id, or hides it again, and hides the others of these ids.
    case showCard(Text, among: [Text])
    /// An action of an unknown type, or one that lacks something.
    case unavailable(type: Text)
  }

  /// A part in a menu, which the id of its element names.
  enum Menu: Equatable, Sendable {
    case opens(Text)
    case isIn(Text)
  }

  struct Submission: Equatable, Sendable {
    /// The data sent with the inputs' values.
    var data: Map
    var takesInputs: Bool
  }

  var id: Text?
  /// Empty if the selected element serves as the title.
  var title: Text
  var isEnabled: Bool
  /// Whether a detail of it is left out because it is wrong.
  var isFlawed = false
  /// Whether it is to get the focus.
  var isFocused = false
  /// The menu that it opens or is in.
  var menu: Menu?
  /// The module that has put it on the screen, if that isn't the one that draws the screen.
  var maker: Text?
  var kind: Kind
  /// Its number among the card's controls, from 1; 0 if it isn't one.
  var number = 0

  var isControl: Bool {
    if case .unavailable = kind { return false }
    return isEnabled
  }
}
