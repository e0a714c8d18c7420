import MoonValues

extension CardReader {
  /// Returns the content of an element by its type; nil for an unknown type.
  mutating func content(
    _ type: Text, _ fields: inout Fields
  ) throws(CardError) -> Element.Content? {
    switch type {
    case "TextBlock": return .text(try textBlock(&fields))
    case "RichTextBlock": return .rich(try runs(&fields))
    case "Image":
      return try MediaReading.image(&fields)
    case "ImageSet": return .container(.plain, try MediaReading.images(&fields, &self))
    case "Media": return .container(.plain, [try MediaReading.media(&fields, &self)])
    // A column outside a set counts as a container, as does a slot, which has been filled by now.
    case "Container", "Column", "List", "TableCell", "Slot":
      if type == "Slot" { fields.ignore("data", "name") }
      fields.ignore(
        "backgroundImage", "bleed", "minHeight", "rtl", "verticalContentAlignment", "width")
      let style: ContainerStyle = fields.word("style", otherwise: .plain)
      return .container(style, try elements(try fields.optionalList("items") ?? []))
    case "ColumnSet":
      fields.ignore("bleed", "minHeight", "style")
      return .columns(try columns(&fields))
    case "FactSet": return .facts(try facts(&fields))
    case "Table": return .table(try table(&fields))
    case "ActionSet":
      let set = try actionSet(
        try fields.list("actions"), menu: fields.optionalName("title"))
      return set.count > 1 ? .container(.plain, set) : set.first?.content ?? .actions([])
    default:
      if let figures = try FigureReading.content(type, &fields, &self) { return figures }
      return try InputReading.input(type, &fields, &self).map { .input($0) }
    }
  }

  private mutating func textBlock(_ fields: inout Fields) throws(CardError) -> TextBlock {
    var block = TextBlock(text: try fields.text("text"))
    block.style = textStyle(&fields)
    let style: BlockStyle = fields.word("style", otherwise: .standard)
    block.style.isHeading = style == .heading || style == .columnHeader
    block.wraps = fields.boolean("wrap")
    block.lineCountMax = fields.optionalCount("maxLines")
    return block
  }

  private enum BlockStyle: String, CaseIterable {
    case standard = "default"
    case heading, columnHeader
  }

  private func textStyle(_ fields: inout Fields) -> TextStyle {
    fields.ignore("fontType")
    return TextStyle(
      size: fields.word("size", otherwise: .standard),
      weight: fields.word("weight", otherwise: .standard),
      color: fields.word("color", otherwise: .standard),
      isSubtle: fields.boolean("isSubtle"))
  }

  private mutating func runs(_ fields: inout Fields) throws(CardError) -> [TextRun] {
    var runs: [TextRun] = []
    for (value, path) in try fields.list("inlines") {
      try count(path)
      do throws(CardError) {
        runs.append(try run(value, at: path))
      } catch {
        try leaveOut(error)
      }
    }
    return runs
  }

  private mutating func run(_ value: Value, at path: Path) throws(CardError) -> TextRun {
    switch value {
    case .string(let text): return TextRun(text: text)
    case .map(let map):
      var fields = Fields(map, at: path)
      if let type = fields.optionalText("type"), type != "TextRun" {
        throw .unknownWord(type, fields.path("type"), known: ["TextRun"])
      }
      fields.ignore("highlight", "italic", "strikethrough", "underline")
      var run = TextRun(text: try fields.text("text"))
      run.style = textStyle(&fields)
      run.selectAction = try selectAction(&fields)
      finish(fields)
      return run
    default: throw .wrongKind(path, expected: .element)
    }
  }

  private mutating func columns(_ fields: inout Fields) throws(CardError) -> [Column] {
    var columns: [Column] = []
    for (value, path) in try fields.optionalList("columns") ?? [] {
      guard case .map(let map) = value else {
        fields.leaveOut(.wrongKind(path, expected: .element))
        continue
      }
      // Read first, since the element's reader doesn't know columns.
      var width = Column.Width.stretch
      do throws(CardError) {
        width = try Column.Width(
          reading: map["width"] ?? .null, at: path.appending(.key("width")))
      } catch {
        fields.leaveOut(error)
      }
      guard let element = try element(value, at: path, ofType: "Column") else { continue }
      columns.append(Column(element: element, width: width))
    }
    return columns
  }

  private mutating func facts(_ fields: inout Fields) throws(CardError) -> [Fact] {
    var facts: [Fact] = []
    for (value, path) in try fields.list("facts") {
      try count(path)
      guard case .map(let map) = value else {
        fields.leaveOut(.wrongKind(path, expected: .map))
        continue
      }
      var fields = Fields(map, at: path)
      fields.ignore("type")
      let title = fields.text("title", otherwise: "")
      facts.append(Fact(title: title, value: fields.text("value", otherwise: "")))
      finish(fields)
    }
    return facts
  }

  private mutating func table(_ fields: inout Fields) throws(CardError) -> Table {
    fields.ignore("gridStyle", "showGridLines", "verticalCellContentAlignment")
    let whole: Alignment = fields.word("horizontalCellContentAlignment", otherwise: .left)
    var table = Table(
      alignments: [], rows: [],
      hasHeader: fields.boolean("firstRowAsHeader", otherwise: true))
    for (value, path) in try fields.optionalList("columns") ?? [] {
      try count(path)
      table.alignments.append(alignment(ofColumn: value, at: path, &fields) ?? whole)
    }
    for (value, path) in try fields.optionalList("rows") ?? [] {
      try count(path)
      do throws(CardError) {
        guard case .map(let map) = value else { throw .wrongKind(path, expected: .map) }
        table.rows.append(try row(map, at: path))
      } catch {
        try leaveOut(error)
      }
    }
    let missing = table.columnCount - table.alignments.count
    table.alignments += Array(repeating: whole, count: missing)
    return table
  }

  private mutating func alignment(
    ofColumn value: Value, at path: Path, _ table: inout Fields
  ) -> Alignment? {
    var fields = Fields(value.mapValue ?? Map(), at: path)
    do throws(CardError) {
      guard value.mapValue != nil else { throw .wrongKind(path, expected: .map) }
      _ = try Column.Width(
        reading: fields.optional("width") ?? .null, at: fields.path("width"))
    } catch {
      table.leaveOut(error)
    }
    fields.ignore("type", "width", "verticalCellContentAlignment")
    let alignment: Alignment? = fields.optionalWord("horizontalCellContentAlignment")
    finish(fields)
    return alignment
  }

  private mutating func row(_ map: Map, at path: Path) throws(CardError) -> Table.Row {
    var fields = Fields(map, at: path)
    fields.ignore("type", "style", "verticalCellContentAlignment")
    let alignment: Alignment? = fields.optionalWord("horizontalCellContentAlignment")
    var cells: [Element] = []
    for (value, path) in try fields.cells("cells") {
      var cell = try element(value, at: path, ofType: "TableCell")
      if cell?.alignment == nil { cell?.alignment = alignment }
      // A dropped or missing cell keeps its place.
      cells.append(cell ?? Element(content: .container(.plain, [])))
    }
    finish(fields)
    return Table.Row(cells: cells)
  }
}
