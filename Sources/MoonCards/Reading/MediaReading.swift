import MoonValues

/// Reads pictures that belong together, and what is played.
enum MediaReading {
  static func image(_ fields: inout Fields) throws(CardError) -> Element.Content {
    let url = try fields.name("url")
    let size: CardImage.Size = fields.word("size", otherwise: .auto)
    let width = fields.optionalText("width")
    fields.ignore("backgroundColor", "style")
    var image = CardImage(url)
    image?.take(size, width: width)
    return .image(alternative: fields.optionalText("altText"), image)
  }

  static func images(
    _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> [Element] {
    fields.ignore("imageSize")
    var images: [Element] = []
    for (value, path) in try fields.list("images") {
      if let image = try reader.element(value, at: path, ofType: "Image") { images.append(image) }
    }
    return images
  }

  /// Returns a stand-in for something that is played: its description, which opens it.
  static func media(
    _ fields: inout Fields, _ reader: inout CardReader
  ) throws(CardError) -> Element {
    fields.ignore("captionSources", "poster")
    var url: Text?
    for (value, path) in try fields.list("sources") {
      try reader.count(path)
      guard case .map(let map) = value else { throw .wrongKind(path, expected: .map) }
      var source = Fields(map, at: path)
      source.ignore("mimeType")
      let found = try source.name("url")
      url = url ?? found
      reader.finish(source)
    }
    guard let url else { throw .empty(fields.path("sources")) }
    let text = fields.optionalText("altText") ?? url
    return Element(
      selectAction: Action(title: text, isEnabled: true, kind: .open(url: url)),
      content: .image(alternative: text))
  }
}

extension Column.Width {
  init(reading value: Value, at path: Path) throws(CardError) {
    if let share = value.finiteNumber, share > 0 {
      self = .share(share)
      return
    }
    guard value != .null else {
      self = .stretch
      return
    }
    guard let text = value.textValue else { throw .wrongKind(path, expected: .columnWidth) }
    let word = text.string.lowercased()
    if word == "auto" {
      self = .auto
    } else if word == "stretch" {
      self = .stretch
    } else if word.hasSuffix("px"), let pixels = Int(word.dropLast(2)), pixels > 0 {
      self = .fixed(min(max(1, pixels / Self.pixelsPerCharacter), Layout.measuringWidth))
    } else if let share = Double(word), share > 0, share.isFinite {
      self = .share(share)
    } else {
      throw .wrongKind(path, expected: .columnWidth)
    }
  }
}
